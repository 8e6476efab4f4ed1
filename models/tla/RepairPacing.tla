---------------------------- MODULE RepairPacing -----------------------------
(***************************************************************************)
(* Copies of objects on disks, and the repair that puts them where they    *)
(* belong without taking more than its share of bytes.                     *)
(*                                                                         *)
(* Each object wants CopiesWanted copies, on the first disks in service of *)
(* an order of its own (rendezvous hashing). A disk may fail and take its  *)
(* copies along, at most FailuresMax times, and a new disk may join. Both  *)
(* change what is wanted, and repair follows:                              *)
(*                                                                         *)
(*   plan     a copy that is wanted and missing                            *)
(*   copy     chunk by chunk, by any worker, from a good copy              *)
(*   verify   the finished copy against its address: good, or thrown away  *)
(*   remove   a copy that is not wanted, once enough good ones are there   *)
(*                                                                         *)
(* A finished copy may have been written badly, and nobody knows before it *)
(* is verified. All workers share one budget per tick, and the budget may  *)
(* shrink at a tick when foreground reads suffer; it never shrinks to      *)
(* nothing, which is why repair always ends.                               *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    WorkerCount,
    DiskCount,     \* disks are 1..DiskCount; the last one is not in service at first
    ObjectCount,   \* objects are 1..ObjectCount
    CopiesWanted,  \* of each object
    FailuresMax,   \* disks that may fail, altogether
    BadWritesMax,  \* copies that may be written badly, altogether
    Budgets        \* the budgets a tick may have, in chunks

\* Fewer failures than copies, disks enough for all copies even after them, and never a budget of zero.
ASSUME FailuresMax < CopiesWanted /\ DiskCount - 1 - FailuresMax >= CopiesWanted /\ 0 \notin Budgets

Workers == 1..WorkerCount
Disks == 1..DiskCount
Objects == 1..ObjectCount

\* In chunks. Objects differ in size, so that repairs overlap in different ways.
Size(o) == o

VARIABLES
    disks,     \* in service
    joined,    \* the last disk has joined
    copy,      \* per object and disk: absent, partial, sound, spoilt, good
    written,   \* per object and disk: chunks of a partial copy
    moved,     \* per worker: chunks written in this tick
    budget,    \* of this tick
    failures,  \* disks that have failed
    badWrites  \* copies that were written badly

vars == <<disks, joined, copy, written, moved, budget, failures, badWrites>>

\* Finished and not verified. Only the model knows which of the two it is.
Unverified == {"sound", "spoilt"}

\* Each object prefers the disks in an order of its own.
Rank(o, d) == (d + o) % DiskCount

Wanted(o) == {d \in disks : Cardinality({e \in disks : Rank(o, e) < Rank(o, d)}) < CopiesWanted}

GoodOn(o) == {d \in Disks : copy[o][d] = "good"}

Init ==
    /\ disks = 1..(DiskCount - 1)
    /\ joined = FALSE
    /\ copy = [o \in Objects |-> [d \in Disks |-> IF d \in Wanted(o) THEN "good" ELSE "absent"]]
    /\ written = [o \in Objects |-> [d \in Disks |-> 0]]
    /\ moved = [w \in Workers |-> 0]
    /\ budget \in Budgets
    /\ failures = 0
    /\ badWrites = 0

-----------------------------------------------------------------------------
(* What happens to us. None of it has to happen. *)

Fail(d) ==
    /\ d \in disks
    /\ failures < FailuresMax
    /\ failures' = failures + 1
    /\ disks' = disks \ {d}
    /\ copy' = [o \in Objects |-> [copy[o] EXCEPT ![d] = "absent"]]
    /\ written' = [o \in Objects |-> [written[o] EXCEPT ![d] = 0]]
    /\ UNCHANGED <<joined, moved, budget, badWrites>>

Join ==
    /\ ~joined
    /\ joined' = TRUE
    /\ disks' = disks \union {DiskCount}
    /\ UNCHANGED <<copy, written, moved, budget, failures, badWrites>>

-----------------------------------------------------------------------------
(* Pacing. *)

RECURSIVE Sum(_, _)
Sum(f, n) == IF n = 0 THEN 0 ELSE f[n] + Sum(f, n - 1)

MovedInTick == Sum(moved, WorkerCount)

MayMove(w) == MovedInTick + 1 <= budget

Tick ==
    /\ moved' = [w \in Workers |-> 0]
    /\ budget' \in Budgets
    /\ UNCHANGED <<disks, joined, copy, written, failures, badWrites>>

-----------------------------------------------------------------------------
(* Repair. *)

Put(o, d, state) == copy' = [copy EXCEPT ![o][d] = state]

Plan(o, d) ==
    /\ d \in Wanted(o)
    /\ copy[o][d] = "absent"
    /\ Put(o, d, "partial")
    /\ UNCHANGED <<disks, joined, written, moved, budget, failures, badWrites>>

\* One more loss would lose the object. Such plans go first.
Urgent(o) == Cardinality(GoodOn(o)) = 1
Planned(o) == \E d \in Disks : copy[o][d] = "partial"
First(o) == Urgent(o) \/ \A other \in Objects : ~(Urgent(other) /\ Planned(other))

\* The last chunk finishes the copy, for better or for worse.
CopyChunk(w, o, d) ==
    /\ copy[o][d] = "partial"
    /\ GoodOn(o) # {}
    /\ First(o)
    /\ MayMove(w)
    /\ moved' = [moved EXCEPT ![w] = @ + 1]
    /\ IF written[o][d] + 1 < Size(o)
       THEN /\ written' = [written EXCEPT ![o][d] = @ + 1]
            /\ UNCHANGED <<copy, badWrites>>
       ELSE /\ written' = [written EXCEPT ![o][d] = 0]
            /\ \/ Put(o, d, "sound") /\ UNCHANGED badWrites
               \/ badWrites < BadWritesMax /\ badWrites' = badWrites + 1 /\ Put(o, d, "spoilt")
    /\ UNCHANGED <<disks, joined, budget, failures>>

\* A spoilt copy is thrown away and planned anew.
Verify(o, d) ==
    /\ copy[o][d] \in Unverified
    /\ Put(o, d, IF copy[o][d] = "sound" THEN "good" ELSE "absent")
    /\ UNCHANGED <<disks, joined, written, moved, budget, failures, badWrites>>

\* What a removal relies on. A copy counts once it has been verified, not before.
Counts(o, d) == copy[o][d] = "good"
Enough(o) == Cardinality({d \in Wanted(o) : Counts(o, d)}) >= CopiesWanted

\* A copy that is not wanted goes at once if it is not good, and only with enough others if it is.
Remove(o, d) ==
    /\ d \in disks \ Wanted(o)
    /\ copy[o][d] # "absent"
    /\ copy[o][d] = "good" => Enough(o)
    /\ Put(o, d, "absent")
    /\ written' = [written EXCEPT ![o][d] = 0]
    /\ UNCHANGED <<disks, joined, moved, budget, failures, badWrites>>

PlanSomething == \E o \in Objects, d \in Disks : Plan(o, d)
CopySomething == \E w \in Workers, o \in Objects, d \in Disks : CopyChunk(w, o, d)
VerifySomething == \E o \in Objects, d \in Disks : Verify(o, d)
RemoveSomething == \E o \in Objects, d \in Disks : Remove(o, d)

Next ==
    \/ \E d \in Disks : Fail(d)
    \/ Join \/ Tick
    \/ PlanSomething \/ CopySomething \/ VerifySomething \/ RemoveSomething

\* Time passes and repair runs. Nothing is assumed about which object it turns to first.
Spec ==
    /\ Init /\ [][Next]_vars
    /\ WF_vars(Tick)
    /\ WF_vars(PlanSomething) /\ WF_vars(CopySomething) /\ WF_vars(VerifySomething) /\ WF_vars(RemoveSomething)

-----------------------------------------------------------------------------
(* Safety. *)

TypeOK ==
    /\ disks \subseteq Disks
    /\ copy \in [Objects -> [Disks -> {"absent", "partial", "sound", "spoilt", "good"}]]
    /\ \A o \in Objects, d \in Disks : d \notin disks => copy[o][d] = "absent"
    /\ \A o \in Objects, d \in Disks : written[o][d] < Size(o) /\ (written[o][d] > 0 => copy[o][d] = "partial")

\* All workers together, in every tick.
WithinBudget == MovedInTick <= budget

AGoodCopyRemains == \A o \in Objects : GoodOn(o) # {}

\* Stronger, of each step: a good copy leaves a disk in service only when enough good ones stay.
RemovalLeavesEnough ==
    [][\A o \in Objects, d \in Disks :
        (copy[o][d] = "good" /\ copy'[o][d] # "good" /\ d \in disks')
            => Cardinality({e \in Disks : copy'[o][e] = "good"}) >= CopiesWanted]_vars

(* Liveness. *)

AtTarget == \A o \in Objects : GoodOn(o) = Wanted(o)

\* Failures are at most FailuresMax, so they do stop; then every copy is where it is wanted, and stays.
TargetIsReached == <>[]AtTarget
=============================================================================
