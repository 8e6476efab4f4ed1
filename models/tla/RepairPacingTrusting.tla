------------------------ MODULE RepairPacingTrusting -------------------------
(* Broken: a copy counts as soon as it is written. A good copy is removed in exchange for one that *)
(* turns out to be spoilt, and the next failure takes the last good one.                           *)
EXTENDS RepairPacing

CountsUnverified(o, d) == copy[o][d] \in Unverified \union {"good"}
=============================================================================
