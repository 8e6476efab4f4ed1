--------------------------- MODULE FairSlotsSilent ---------------------------
(* Broken: whoever gives a place back does not wake the scheduler, which found no place free when it last looked. *)
EXTENDS FairSlots

NeverRings == FALSE
=============================================================================
