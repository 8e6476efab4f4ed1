-------------------------- MODULE WorkQueueLateSend --------------------------
(* Broken: trySend looks at `closed` when it is called and enqueues later, without looking again. *)
(* A shutdown that fits in between leaves an accepted item in a channel nobody will ever read.    *)
EXTENDS WorkQueue

CallThatChecks(p) ==
    /\ \E n \in Upcoming(p) :
        answer' = [answer EXCEPT ![<<p, n>>] = IF closed THEN "Closed" ELSE "calling"]
    /\ UNCHANGED <<phase, closed, queue, consumer, hand, interrupted, swept, handled, dropped>>

VerdictThatForgets == IF Len(queue) >= Capacity THEN "Full" ELSE "Sent"
=============================================================================
