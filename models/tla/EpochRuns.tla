------------------------------ MODULE EpochRuns ------------------------------
(***************************************************************************)
(* The runs of one epoch in the rewarder, each with inputs of its own.     *)
(*                                                                         *)
(* The first inputs that are asked for claim the epoch. Their run waits    *)
(* for a worker, is computed, and is written aside; a rename gives it its  *)
(* name, a flush of the folder makes the name last, and then it is closed, *)
(* told to the caller and paid. A run that cannot be computed or kept is   *)
(* ended, and its epoch is free; one whose sums do not add up is           *)
(* quarantined. If the flush fails, the name may or may not be there after *)
(* a power cut: such a run is in doubt, and keeps its claim.               *)
(*                                                                         *)
(* A crash forgets everything but the disk and what was paid.              *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANT InputCount

Inputs == 1..InputCount
Nothing == 0

VARIABLES
    run,    \* per inputs, in memory: None, Queued, Computing, Written, Named, Closed, Quarantined
    claim,  \* the inputs that have the epoch, or Nothing
    doubt,  \* inputs whose run has its name, but maybe not for good
    disk,   \* per inputs: None, Named (not flushed), Kept
    told,   \* inputs whose run was told to be closed
    paid    \* inputs whose run was paid

vars == <<run, claim, doubt, disk, told, paid>>

Init ==
    /\ run = [i \in Inputs |-> "None"]
    /\ disk = [i \in Inputs |-> "None"]
    /\ claim = Nothing
    /\ doubt = {} /\ told = {} /\ paid = {}

To(i, state) == run' = [run EXCEPT ![i] = state]

\* What becomes of the claim when a run ends without a result.
ClaimAfterFailure(i) == IF i \in doubt \/ claim # i THEN claim ELSE Nothing

\* What a worker that fails leaves behind: it ends the run, whatever it failed with.
AfterDeath == "None"

\* The claim of a run whose name may be lost.
ClaimInDoubt(i) == claim

-----------------------------------------------------------------------------
Ask(i) ==
    /\ run[i] = "None" /\ claim \in {Nothing, i}
    /\ To(i, "Queued")
    /\ claim' = i
    /\ UNCHANGED <<doubt, disk, told, paid>>

Take(i) ==
    /\ run[i] = "Queued"
    /\ To(i, "Computing")
    /\ UNCHANGED <<claim, doubt, disk, told, paid>>

\* No worker has room, or the rewarder shuts down.
TurnAway(i) ==
    /\ run[i] = "Queued"
    /\ To(i, "None")
    /\ claim' = ClaimAfterFailure(i)
    /\ UNCHANGED <<doubt, disk, told, paid>>

Compute(i) ==
    /\ run[i] = "Computing"
    /\ To(i, "Written")
    /\ UNCHANGED <<claim, doubt, disk, told, paid>>

WorkerFails(i) ==
    /\ run[i] = "Computing"
    /\ To(i, AfterDeath)
    /\ claim' = IF AfterDeath = "None" THEN ClaimAfterFailure(i) ELSE claim
    /\ UNCHANGED <<doubt, disk, told, paid>>

\* The sums of the same inputs are always the same, so a run in doubt adds up.
Quarantine(i) ==
    /\ run[i] = "Computing" /\ i \notin doubt
    /\ To(i, "Quarantined")
    /\ claim' = Nothing
    /\ UNCHANGED <<doubt, disk, told, paid>>

Rename(i) ==
    /\ run[i] = "Written"
    /\ To(i, "Named")
    /\ disk' = [disk EXCEPT ![i] = IF @ = "None" THEN "Named" ELSE @]
    /\ UNCHANGED <<claim, doubt, told, paid>>

RenameFails(i) ==
    /\ run[i] = "Written"
    /\ To(i, "None")
    /\ claim' = ClaimAfterFailure(i)
    /\ UNCHANGED <<doubt, disk, told, paid>>

Flush(i) ==
    /\ run[i] = "Named"
    /\ To(i, "Closed")
    /\ disk' = [disk EXCEPT ![i] = "Kept"]
    /\ doubt' = doubt \ {i}
    /\ told' = told \cup {i}
    /\ UNCHANGED <<claim, paid>>

FlushFails(i) ==
    /\ run[i] = "Named"
    /\ To(i, "None")
    /\ doubt' = doubt \cup {i}
    /\ claim' = ClaimInDoubt(i)
    /\ UNCHANGED <<disk, told, paid>>

Pay(i) ==
    /\ run[i] = "Closed" /\ i \notin paid
    /\ paid' = paid \cup {i}
    /\ UNCHANGED <<run, claim, doubt, disk, told>>

\* A name that was not flushed is lost or stays; what is on the disk is found again.
Crash ==
    \E lost \in SUBSET {i \in Inputs : disk[i] = "Named"} :
        /\ disk' = [i \in Inputs |-> IF i \in lost \/ disk[i] = "None" THEN "None" ELSE "Kept"]
        /\ run' = [i \in Inputs |->
                     IF disk'[i] = "Kept" THEN "Closed"
                     ELSE IF run[i] = "Quarantined" THEN "Quarantined" ELSE "None"]
        /\ claim' = IF \E i \in Inputs : disk'[i] = "Kept"
                    THEN CHOOSE i \in Inputs : disk'[i] = "Kept"
                    ELSE Nothing
        /\ doubt' = {}
        /\ UNCHANGED <<told, paid>>

\* One step of a run that is under way, whichever way it goes.
Step(i) ==
    \/ Take(i) \/ TurnAway(i) \/ Compute(i) \/ WorkerFails(i) \/ Quarantine(i)
    \/ Rename(i) \/ RenameFails(i) \/ Flush(i) \/ FlushFails(i)

Next == Crash \/ \E i \in Inputs : Ask(i) \/ Step(i) \/ Pay(i)

Spec == Init /\ [][Next]_vars /\ \A i \in Inputs : WF_vars(Step(i)) /\ WF_vars(Pay(i))

-----------------------------------------------------------------------------
(* Safety. *)

OneRunHasTheEpoch == Cardinality({i \in Inputs : disk[i] # "None"}) <= 1

OneRunIsPaid == Cardinality(paid) <= 1

WhatWasToldStays == \A i \in told \cup paid : disk[i] = "Kept"

(* Liveness. *)

EveryRunEnds ==
    \A i \in Inputs :
        (run[i] \notin {"None", "Closed", "Quarantined"})
            ~> (run[i] \in {"None", "Closed", "Quarantined"})

AClosedRunIsPaid == \A i \in Inputs : (run[i] = "Closed") ~> (i \in paid)
=============================================================================
