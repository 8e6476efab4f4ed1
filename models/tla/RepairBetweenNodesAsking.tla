---------------------- MODULE RepairBetweenNodesAsking -----------------------
(* Broken: a node asks who has a copy, and nobody promises anything. Two pairs of nodes that see  *)
(* the cluster differently each count on the other pair, and both give up.                        *)
EXTENDS RepairBetweenNodes

HasPromisedNobody(n) == FALSE
KeepsForNow(m) == copy[m] = "good"
=============================================================================
