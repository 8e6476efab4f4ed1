-------------------------- MODULE EpochRunsForgetful -------------------------
(* Broken: a run whose flush failed is ended as any other. Its epoch is free, other inputs close it, and   *)
(* both names may be found after the next start.                                                           *)
EXTENDS EpochRuns

Freed(i) == Nothing
=============================================================================
