---------------------------- MODULE EpochRunsSilent --------------------------
(* Broken: a worker that fails by a bug leaves its run as it is. The run is never ended, and holds its     *)
(* epoch until the next start.                                                                             *)
EXTENDS EpochRuns

Left == "Left"
=============================================================================
