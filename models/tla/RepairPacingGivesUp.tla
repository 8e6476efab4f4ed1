------------------------ MODULE RepairPacingGivesUp --------------------------
(* Broken: a copy that fails its verification is left where it is. Its place looks taken, no plan *)
(* is made for it again, and the object stays below its target for ever.                          *)
EXTENDS RepairPacing

VerifyAndLeave(o, d) ==
    /\ copy[o][d] = "sound"
    /\ Put(o, d, "good")
    /\ UNCHANGED <<disks, joined, written, moved, budget, failures, badWrites>>
=============================================================================
