------------------------------ MODULE FairSlots ------------------------------
(***************************************************************************)
(* The places of a pool in the gateway, and the two ways to one.           *)
(*                                                                         *)
(* A request that finds a free place and nobody waiting takes the place at *)
(* once, on its own thread. Otherwise it is counted as waiting and sent to *)
(* the scheduler, who puts it in its tenant's line and hands out places in *)
(* turn, asleep when there is nothing to do. Whoever gives a place back    *)
(* wakes the scheduler if somebody waits. A request may leave at any time. *)
(*                                                                         *)
(* `taken` and `waiting` are one word: each action below that reads and    *)
(* writes both is one step, as it is one compare-and-set in the code. The  *)
(* scheduler's own steps are separate: it takes work, it grants, it goes   *)
(* to sleep. Whose turn it is goes round by one request each; deficits and *)
(* costs are DeficitRoundRobin's.                                          *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    RequestCount, \* each comes again after it has left, for ever
    Places

Requests == 1..RequestCount
Tenants == {1, 2}

\* The last request is the quiet tenant's; all others are the loud one's.
TenantOf(r) == IF r = RequestCount THEN 2 ELSE 1

VARIABLES
    state,      \* per request: Out, Sent (in `work`), Lined (in its line), In (has a place)
    taken,      \* places taken
    waiting,    \* requests counted as waiting
    work,       \* sent, not yet put in a line
    lines,      \* per tenant: requests in order, those that left meanwhile included
    turn,       \* the order of the tenants' turns, the next one first
    rung,       \* somebody rang since the scheduler looked
    asleep      \* the scheduler waits for a ring

vars == <<state, taken, waiting, work, lines, turn, rung, asleep>>

Init ==
    /\ state = [r \in Requests |-> "Out"]
    /\ taken = 0 /\ waiting = 0
    /\ work = <<>>
    /\ lines = [t \in Tenants |-> <<>>]
    /\ turn \in {<<1, 2>>, <<2, 1>>}
    /\ rung = FALSE /\ asleep = TRUE

-----------------------------------------------------------------------------
(* A request's own thread. *)

\* Nobody waits and a place is free.
MayEnter == waiting = 0 /\ taken < Places

EnterAtOnce(r) ==
    /\ state[r] = "Out" /\ MayEnter
    /\ state' = [state EXCEPT ![r] = "In"]
    /\ taken' = taken + 1
    /\ UNCHANGED <<waiting, work, lines, turn, rung, asleep>>

Queue(r) ==
    /\ state[r] = "Out" /\ ~MayEnter
    /\ r \notin {work[i] : i \in DOMAIN work}
    /\ \A t \in Tenants : r \notin {lines[t][i] : i \in DOMAIN lines[t]}
    /\ state' = [state EXCEPT ![r] = "Sent"]
    /\ waiting' = waiting + 1
    /\ work' = Append(work, r)
    /\ rung' = TRUE
    /\ UNCHANGED <<taken, lines, turn, asleep>>

\* Whether the place that is given back is worth a ring.
RingsOnRelease == waiting > 0

Leave(r) ==
    /\ state[r] = "In"
    /\ state' = [state EXCEPT ![r] = "Out"]
    /\ taken' = taken - 1
    /\ rung' = (rung \/ RingsOnRelease)
    /\ UNCHANGED <<waiting, work, lines, turn, asleep>>

\* Its client left, or its time was up. The ticket stays where it is and is skipped later.
GiveUp(r) ==
    /\ state[r] \in {"Sent", "Lined"}
    /\ state' = [state EXCEPT ![r] = "Out"]
    /\ waiting' = waiting - 1
    /\ UNCHANGED <<taken, work, lines, turn, rung, asleep>>

-----------------------------------------------------------------------------
(* The scheduler. *)

Wake ==
    /\ asleep /\ rung
    /\ asleep' = FALSE /\ rung' = FALSE
    /\ UNCHANGED <<state, taken, waiting, work, lines, turn>>

TakeWork ==
    /\ ~asleep /\ work # <<>>
    /\ LET r == Head(work) IN
        /\ work' = Tail(work)
        /\ IF state[r] = "Sent"
           THEN /\ lines' = [lines EXCEPT ![TenantOf(r)] = Append(@, r)]
                /\ state' = [state EXCEPT ![r] = "Lined"]
           ELSE UNCHANGED <<lines, state>>
    /\ UNCHANGED <<taken, waiting, turn, rung, asleep>>

AnyLine == \E t \in Tenants : lines[t] # <<>>

\* Those that left meanwhile are skipped in the same pass: nothing is put in a line during it.
IsHere(r) == state[r] = "Lined"
Here(t) == SelectSeq(lines[t], IsHere)
HasTurn(i) == Here(turn[i]) # <<>> /\ \A j \in DOMAIN turn : j < i => Here(turn[j]) = <<>>

\* The tenant that was served goes to the back.
TurnAfter(i) == SubSeq(turn, 1, i - 1) \o SubSeq(turn, i + 1, Len(turn)) \o <<turn[i]>>

Grant ==
    /\ ~asleep /\ AnyLine /\ taken < Places
    /\ IF \E t \in Tenants : Here(t) # <<>>
       THEN \E i \in DOMAIN turn :
              /\ HasTurn(i)
              /\ LET r == Head(Here(turn[i])) IN
                  /\ state' = [state EXCEPT ![r] = "In"]
                  /\ lines' = [t \in Tenants |-> IF t = turn[i] THEN Tail(Here(t)) ELSE Here(t)]
                  /\ taken' = taken + 1
                  /\ waiting' = waiting - 1
                  /\ turn' = TurnAfter(i)
       ELSE /\ lines' = [t \in Tenants |-> <<>>]
            /\ UNCHANGED <<state, taken, waiting, turn>>
    /\ UNCHANGED <<work, rung, asleep>>

\* Nothing more can be done now; a ring since it last looked wakes it again.
Sleep ==
    /\ ~asleep /\ work = <<>> /\ (~AnyLine \/ taken >= Places)
    /\ asleep' = TRUE
    /\ UNCHANGED <<state, taken, waiting, work, lines, turn, rung>>

Scheduler == Wake \/ TakeWork \/ Grant \/ Sleep

Next ==
    \/ \E r \in Requests : EnterAtOnce(r) \/ Queue(r) \/ Leave(r) \/ GiveUp(r)
    \/ Scheduler

\* Requests end sooner or later; that they come, or give up, is not assumed.
Spec ==
    /\ Init /\ [][Next]_vars
    /\ WF_vars(Wake) /\ WF_vars(TakeWork) /\ WF_vars(Grant) /\ WF_vars(Sleep)
    /\ \A r \in Requests : WF_vars(Leave(r))

-----------------------------------------------------------------------------
(* Safety. *)

Holding == {r \in Requests : state[r] = "In"}
Pending == {r \in Requests : state[r] \in {"Sent", "Lined"}}

NoPlaceTwice == Cardinality(Holding) <= Places

\* Both counts are what they count: nothing is lost, whichever way it came.
CountsAreTrue == taken = Cardinality(Holding) /\ waiting = Cardinality(Pending)

\* A request that is counted as waiting is where the scheduler will find it, once.
NobodyIsLost ==
    \A r \in Requests :
        /\ (state[r] = "Sent") => (r \in {work[i] : i \in DOMAIN work})
        /\ (state[r] = "Lined") =>
              Cardinality({i \in DOMAIN lines[TenantOf(r)] : lines[TenantOf(r)][i] = r}) = 1

(* Liveness. *)

\* Whoever waits gets a place or gives up.
NobodyWaitsForEver == \A r \in Requests : (state[r] \in {"Sent", "Lined"}) ~> (state[r] \in {"In", "Out"})

\* A free place and a request that waits for one do not stay beside each other.
WorkConserving ==
    \A r \in Requests :
        (r \in Pending /\ taken < Places) ~> (r \notin Pending \/ taken >= Places)
=============================================================================
