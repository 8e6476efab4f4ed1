------------------------ MODULE DeficitRoundRobinHoard -----------------------
(* Broken: a tenant whose backlog runs empty keeps its deficit. Sending one cheap item at a time, it *)
(* saves up without limit, and may later hold the server for as long as it likes.                    *)
EXTENDS DeficitRoundRobin

KeptForEver(t, cost, rest) == deficit[t] - cost
=============================================================================
