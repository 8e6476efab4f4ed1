------------------------------ MODULE WorkQueue ------------------------------
(***************************************************************************)
(* Producers, one bounded channel, consumers, and a supervisor that may    *)
(* shut all of it down at any moment.                                      *)
(*                                                                         *)
(* The channel is a lock around a queue and a `closed` flag. A producer's  *)
(* trySend takes the lock once and answers Sent, Full or Closed. A         *)
(* consumer takes the lock, and finds an item, or finds the channel closed *)
(* and empty and exits, or parks until it is signalled.                    *)
(*                                                                         *)
(* The supervisor drains: it closes the intake and waits for the consumers *)
(* to empty the queue and exit. If the drain deadline passes first it      *)
(* aborts: it interrupts every consumer and counts whatever is still       *)
(* queued as dropped.                                                      *)
(*                                                                         *)
(* Two things are on purpose NOT guards of any step, so that they are      *)
(* proved and not assumed: Stop never looks into the queue, and a parked   *)
(* consumer moves only when somebody signals or interrupts it.             *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Producers,  \* who sends
    Consumers,  \* who handles
    ItemsEach,  \* how many items each producer offers, one after the other
    Capacity,   \* of the channel
    Nothing     \* what an empty hand holds

Items == Producers \X (1..ItemsEach)

VARIABLES
    phase,        \* the supervisor's: Running, Draining, Aborting, Stopped
    closed,       \* the channel accepts no more
    queue,        \* what is in the channel, oldest first
    answer,       \* per item: none, calling (inside trySend), Sent, Full, Closed
    consumer,     \* per consumer: ready (about to take the lock), parked, handling, exited
    hand,         \* per consumer: the item it is handling
    interrupted,  \* the consumers the supervisor has interrupted
    swept,        \* the aborting supervisor has counted what was left in the queue
    handled,      \* per item: how many times it was handled
    dropped       \* per item: how many times it was counted as dropped

vars == <<phase, closed, queue, answer, consumer, hand, interrupted, swept, handled, dropped>>

Init ==
    /\ phase = "Running"
    /\ closed = FALSE
    /\ queue = <<>>
    /\ answer = [i \in Items |-> "none"]
    /\ consumer = [c \in Consumers |-> "ready"]
    /\ hand = [c \in Consumers |-> Nothing]
    /\ interrupted = {}
    /\ swept = FALSE
    /\ handled = [i \in Items |-> 0]
    /\ dropped = [i \in Items |-> 0]

-----------------------------------------------------------------------------
(* Producers. *)

\* A producer offers its items in order and is inside at most one trySend.
Upcoming(p) == {n \in 1..ItemsEach : answer[<<p, n>>] = "none"
                                  /\ \A m \in 1..(n - 1) : answer[<<p, m>>] \notin {"none", "calling"}}

\* The producer has entered trySend and does not hold the lock yet. Anything may happen meanwhile.
Call(p) ==
    /\ \E n \in Upcoming(p) : answer' = [answer EXCEPT ![<<p, n>>] = "calling"]
    /\ UNCHANGED <<phase, closed, queue, consumer, hand, interrupted, swept, handled, dropped>>

\* Under the lock: the check and the enqueue are one step.
Verdict == IF closed THEN "Closed" ELSE IF Len(queue) >= Capacity THEN "Full" ELSE "Sent"

Parked == {c \in Consumers : consumer[c] = "parked"}

\* An accepted item signals one parked consumer, if there is any; which one is not ours to choose.
SignalOne ==
    IF Parked = {}
    THEN UNCHANGED consumer
    ELSE \E c \in Parked : consumer' = [consumer EXCEPT ![c] = "ready"]

Answer(p) ==
    /\ \E n \in 1..ItemsEach :
        /\ answer[<<p, n>>] = "calling"
        /\ answer' = [answer EXCEPT ![<<p, n>>] = Verdict]
        /\ IF Verdict = "Sent"
           THEN queue' = Append(queue, <<p, n>>) /\ SignalOne
           ELSE UNCHANGED <<queue, consumer>>
    /\ UNCHANGED <<phase, closed, hand, interrupted, swept, handled, dropped>>

-----------------------------------------------------------------------------
(* Consumers. *)

Take(c) ==
    /\ queue # <<>>
    /\ hand' = [hand EXCEPT ![c] = Head(queue)]
    /\ queue' = Tail(queue)
    /\ consumer' = [consumer EXCEPT ![c] = "handling"]

Become(c, state) == consumer' = [consumer EXCEPT ![c] = state] /\ UNCHANGED <<queue, hand>>

\* Under the lock. Interruption is looked at first; what is queued goes before `closed`.
Receive(c) ==
    /\ consumer[c] = "ready"
    /\ CASE c \in interrupted -> Become(c, "exited")
         [] c \notin interrupted /\ queue # <<>> -> Take(c)
         [] c \notin interrupted /\ queue = <<>> /\ closed -> Become(c, "exited")
         [] OTHER -> Become(c, "parked")
    /\ UNCHANGED <<phase, closed, answer, interrupted, swept, handled, dropped>>

\* The handler returned. It may do so even after an interrupt, if it was almost done.
Finish(c) ==
    /\ consumer[c] = "handling"
    /\ handled' = [handled EXCEPT ![hand[c]] = @ + 1]
    /\ hand' = [hand EXCEPT ![c] = Nothing]
    /\ consumer' = [consumer EXCEPT ![c] = "ready"]
    /\ UNCHANGED <<phase, closed, queue, answer, interrupted, swept, dropped>>

\* The handler obeyed the interrupt. Its item is counted, never forgotten.
Abandon(c) ==
    /\ consumer[c] = "handling"
    /\ c \in interrupted
    /\ dropped' = [dropped EXCEPT ![hand[c]] = @ + 1]
    /\ hand' = [hand EXCEPT ![c] = Nothing]
    /\ consumer' = [consumer EXCEPT ![c] = "exited"]
    /\ UNCHANGED <<phase, closed, queue, answer, interrupted, swept, handled>>

-----------------------------------------------------------------------------
(* The supervisor. *)

\* Somebody asks for shutdown. Nobody has to: there is no fairness on this step.
RequestShutdown ==
    /\ phase = "Running"
    /\ phase' = "Draining"
    /\ UNCHANGED <<closed, queue, answer, consumer, hand, interrupted, swept, handled, dropped>>

\* Closing signals every parked consumer: each of them has to see that nothing more will come.
SignalAll == consumer' = [c \in Consumers |-> IF c \in Parked THEN "ready" ELSE consumer[c]]

CloseIntake ==
    /\ phase = "Draining"
    /\ ~closed
    /\ closed' = TRUE
    /\ SignalAll
    /\ UNCHANGED <<phase, queue, answer, hand, interrupted, swept, handled, dropped>>

DeadlinePasses ==
    /\ phase = "Draining"
    /\ closed
    /\ phase' = "Aborting"
    /\ UNCHANGED <<closed, queue, answer, consumer, hand, interrupted, swept, handled, dropped>>

\* One consumer at a time; the others go on receiving until their turn comes.
Interrupt(c) ==
    /\ phase = "Aborting"
    /\ c \notin interrupted
    /\ interrupted' = interrupted \union {c}
    /\ consumer' = [consumer EXCEPT ![c] = IF @ = "parked" THEN "ready" ELSE @]
    /\ UNCHANGED <<phase, closed, queue, answer, hand, swept, handled, dropped>>

Queued(i) == Cardinality({n \in 1..Len(queue) : queue[n] = i})

\* Under the lock, all at once. Consumers may still be running, so some of it may be taken before.
Sweep ==
    /\ phase = "Aborting"
    /\ interrupted = Consumers
    /\ ~swept
    /\ swept' = TRUE
    /\ dropped' = [i \in Items |-> dropped[i] + Queued(i)]
    /\ queue' = <<>>
    /\ UNCHANGED <<phase, closed, answer, consumer, hand, interrupted, handled>>

Stop ==
    /\ \/ phase = "Draining" /\ closed
       \/ phase = "Aborting" /\ swept
    /\ \A c \in Consumers : consumer[c] = "exited"
    /\ phase' = "Stopped"
    /\ UNCHANGED <<closed, queue, answer, consumer, hand, interrupted, swept, handled, dropped>>

-----------------------------------------------------------------------------
\* The only state of rest. Anywhere else, having no step to take is a deadlock and TLC says so.
AllAnswered == \A i \in Items : answer[i] \notin {"none", "calling"}
Resting ==
    /\ AllAnswered
    /\ phase = "Stopped"
    /\ UNCHANGED vars

Next ==
    \/ \E p \in Producers : Call(p) \/ Answer(p)
    \/ \E c \in Consumers : Receive(c) \/ Finish(c) \/ Abandon(c) \/ Interrupt(c)
    \/ RequestShutdown \/ CloseIntake \/ DeadlinePasses \/ Sweep \/ Stop
    \/ Resting

\* Threads run. Obeying an interrupt is included: the kernel never swallows one.
ThreadsRun ==
    /\ \A p \in Producers : WF_vars(Answer(p))
    /\ \A c \in Consumers : WF_vars(Receive(c)) /\ WF_vars(Abandon(c)) /\ WF_vars(Interrupt(c))
    /\ WF_vars(CloseIntake) /\ WF_vars(Sweep) /\ WF_vars(Stop)

HandlersReturn == \A c \in Consumers : WF_vars(Finish(c))

\* Handlers may hang for ever; only the deadline is certain.
Spec == Init /\ [][Next]_vars /\ ThreadsRun /\ WF_vars(DeadlinePasses)

\* Handlers do return; the deadline may pass at any moment or never.
PatientSpec == Init /\ [][Next]_vars /\ ThreadsRun /\ HandlersReturn

-----------------------------------------------------------------------------
(* Safety. *)

TypeOK ==
    /\ phase \in {"Running", "Draining", "Aborting", "Stopped"}
    /\ closed \in BOOLEAN /\ swept \in BOOLEAN
    /\ queue \in Seq(Items)
    /\ answer \in [Items -> {"none", "calling", "Sent", "Full", "Closed"}]
    /\ consumer \in [Consumers -> {"ready", "parked", "handling", "exited"}]
    /\ hand \in [Consumers -> Items \union {Nothing}]
    /\ interrupted \subseteq Consumers

DepthWithinCapacity == Len(queue) <= Capacity

NothingHandledTwice == \A i \in Items : handled[i] <= 1

InHand(i) == Cardinality({c \in Consumers : hand[c] = i})

\* An accepted item is in exactly one place, and a refused one in none.
EveryItemInOnePlace ==
    \A i \in Items :
        Queued(i) + InHand(i) + handled[i] + dropped[i] = IF answer[i] = "Sent" THEN 1 ELSE 0

NothingLeftWhenStopped ==
    phase = "Stopped" => queue = <<>> /\ \A c \in Consumers : hand[c] = Nothing

DropsOnlyOnAbort == (\E i \in Items : dropped[i] > 0) => phase \in {"Aborting", "Stopped"} /\ interrupted # {}

(* Liveness. *)

ShutdownEnds == (phase = "Draining") ~> (phase = "Stopped")

EveryCallIsAnswered == \A i \in Items : (answer[i] = "calling") ~> (answer[i] \in {"Sent", "Full", "Closed"})

EveryAcceptedItemEnds == \A i \in Items : (answer[i] = "Sent") ~> (handled[i] + dropped[i] = 1)

\* Stated of PatientSpec: dropping needs an abort, nothing else takes an item away.
WithoutAbortAllIsHandled ==
    [](phase # "Aborting") => \A i \in Items : (answer[i] = "Sent") ~> (handled[i] = 1)
=============================================================================
