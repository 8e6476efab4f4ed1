------------------------- MODULE WorkQueueEagerExit --------------------------
(* Broken: a consumer that sees the channel closed exits at once, though items are still queued, *)
(* and the supervisor takes its exit for a finished drain.                                       *)
EXTENDS WorkQueue

ReceiveClosedFirst(c) ==
    /\ consumer[c] = "ready"
    /\ CASE c \in interrupted \/ closed -> Become(c, "exited")
         [] c \notin interrupted /\ ~closed /\ queue # <<>> -> Take(c)
         [] OTHER -> Become(c, "parked")
    /\ UNCHANGED <<phase, closed, answer, interrupted, swept, handled, dropped>>
=============================================================================
