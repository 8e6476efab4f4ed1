--------------------- MODULE RepairBetweenNodesStubborn ----------------------
(* Broken: a node that did not get enough promises stays about to give up. It promises nobody, so *)
(* two of them wait for each other for ever.                                                      *)
EXTENDS RepairBetweenNodes

KeepNever(n) == FALSE /\ UNCHANGED vars
=============================================================================
