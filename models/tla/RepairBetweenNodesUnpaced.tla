---------------------- MODULE RepairBetweenNodesUnpaced ----------------------
(* Broken: the budget is looked at when a fetch begins, not for every chunk. *)
EXTENDS RepairBetweenNodes

MayMoveOnce(n) == written[n] > 0 \/ moved[n] + 1 <= Budget
=============================================================================
