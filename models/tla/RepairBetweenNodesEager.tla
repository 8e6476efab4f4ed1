----------------------- MODULE RepairBetweenNodesEager -----------------------
(* Broken: a copy counts as soon as it is whole, before it is verified. *)
EXTENDS RepairBetweenNodes

KeepsUnverified(m) == copy[m] \in {"good", "whole", "spoilt"} /\ ~givingUp[m]
=============================================================================
