------------------------- MODULE RepairPacingSelfish -------------------------
(* Broken: each worker compares the budget with what it moved itself, so two workers move twice as much. *)
EXTENDS RepairPacing

MayMoveAlone(w) == moved[w] + 1 <= budget
=============================================================================
