-------------------- MODULE DeficitRoundRobinStuckPointer --------------------
(* Broken: the pointer stays with a tenant as long as it has a backlog, so a tenant that keeps its *)
(* backlog filled is granted quantum after quantum and the others never come to their turn.        *)
EXTENDS DeficitRoundRobin

PointerStays(t) == IF HasWork(t) THEN t ELSE Following(t)
=============================================================================
