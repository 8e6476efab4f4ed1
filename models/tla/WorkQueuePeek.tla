---------------------------- MODULE WorkQueuePeek ----------------------------
(* Broken: a consumer reads the head of the queue and leaves the removal to the moment it is done, *)
(* so a second consumer can read the same head.                                                    *)
EXTENDS WorkQueue

TakeWithoutRemoving(c) ==
    /\ queue # <<>>
    /\ hand' = [hand EXCEPT ![c] = Head(queue)]
    /\ consumer' = [consumer EXCEPT ![c] = "handling"]
    /\ UNCHANGED queue

FinishAndRemove(c) ==
    /\ consumer[c] = "handling"
    /\ handled' = [handled EXCEPT ![hand[c]] = @ + 1]
    /\ queue' = SelectSeq(queue, LAMBDA i : i # hand[c])
    /\ hand' = [hand EXCEPT ![c] = Nothing]
    /\ consumer' = [consumer EXCEPT ![c] = "ready"]
    /\ UNCHANGED <<phase, closed, answer, interrupted, swept, dropped>>
=============================================================================
