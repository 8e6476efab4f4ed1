--------------------------- MODULE FairSlotsBarging --------------------------
(* Broken: a request takes any free place, without asking whether somebody waits for it. The loud tenant's *)
(* next request is always there before the scheduler, and the quiet one waits for ever.                    *)
EXTENDS FairSlots

AnyFreePlace == taken < Places
=============================================================================
