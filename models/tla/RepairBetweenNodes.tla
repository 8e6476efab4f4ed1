------------------------- MODULE RepairBetweenNodes --------------------------
(***************************************************************************)
(* Nodes that each look after themselves: what belongs to a node it        *)
(* fetches, what does not it gives up, and nobody is elected.              *)
(*                                                                         *)
(* Where the copies of an object belong follows from a view: who is in the *)
(* cluster and with what weight. An operator changes the view, perhaps     *)
(* back again, and nodes learn of it one by one, so for a while two nodes  *)
(* may disagree about whose the object is. Each is right in its own view:  *)
(*                                                                         *)
(*   plan     a copy that belongs to this node in its view, and is not here*)
(*   fetch    chunk by chunk within the node's budget, from a good copy,   *)
(*            verified when it is whole: good, or thrown away              *)
(*   ask      before giving a copy up: others with a good copy promise to  *)
(*            keep it, if they are not about to give theirs up             *)
(*   give up  once as many as there shall be copies have promised          *)
(*                                                                         *)
(* A promise ends after a time; whoever acts on one acts before that. So   *)
(* does the model: a promise ends only when nobody gives up on it. A disk  *)
(* may fail and take its copies along, at most FailuresMax times.          *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    NodeCount,     \* nodes are 1..NodeCount
    CopiesWanted,
    Size,          \* of the object, in chunks
    Budget,        \* chunks a node's workers may move in a tick
    ChangesMax,    \* of the view, by the operator
    FailuresMax,   \* disks that may fail, altogether
    BadWritesMax   \* copies that may be written badly, altogether

ASSUME FailuresMax < CopiesWanted /\ NodeCount - FailuresMax >= CopiesWanted /\ Budget > 0

Nodes == 1..NodeCount

VARIABLES
    wish,       \* the operator's view: 1 or 2
    changes,    \* how often it was changed
    sees,       \* per node: the view it has learnt of last
    gone,       \* nodes whose disk failed; they are planned around by everybody
    copy,       \* per node: absent, partial, spoilt, whole (not verified), good
    written,    \* per node: chunks of a partial copy
    givingUp,   \* per node: it is about to give its copy up
    promised,   \* per node: those who promised it to keep theirs
    moved,      \* per node: chunks moved in this tick
    failures, badWrites

vars == <<wish, changes, sees, gone, copy, written, givingUp, promised, moved, failures, badWrites>>

\* The change of the view turns the order round: the worst that can be.
Rank(view, n) == IF view = 1 THEN n ELSE NodeCount + 1 - n
Targets(view) ==
    {n \in Nodes \ gone :
        Cardinality({m \in Nodes \ gone : Rank(view, m) < Rank(view, n)}) < CopiesWanted}
Mine(n) == n \in Targets(sees[n])

Good == {n \in Nodes : copy[n] = "good"}

Init ==
    /\ wish = 1
    /\ changes = 0
    /\ sees = [n \in Nodes |-> 1]
    /\ gone = {}
    /\ copy = [n \in Nodes |-> IF n \in Targets(1) THEN "good" ELSE "absent"]
    /\ written = [n \in Nodes |-> 0]
    /\ givingUp = [n \in Nodes |-> FALSE]
    /\ promised = [n \in Nodes |-> {}]
    /\ moved = [n \in Nodes |-> 0]
    /\ failures = 0
    /\ badWrites = 0

-----------------------------------------------------------------------------
(* What happens to us. *)

\* The operator may think better of it before everybody has heard.
Change ==
    /\ changes < ChangesMax
    /\ changes' = changes + 1
    /\ wish' = 3 - wish
    /\ UNCHANGED <<sees, gone, copy, written, givingUp, promised, moved, failures, badWrites>>

Learn(n) ==
    /\ sees[n] # wish
    /\ sees' = [sees EXCEPT ![n] = wish]
    /\ UNCHANGED <<wish, changes, gone, copy, written, givingUp, promised, moved, failures, badWrites>>

\* A failed disk takes its node's copy and its promises along.
Fail(n) ==
    /\ n \notin gone
    /\ failures < FailuresMax
    /\ failures' = failures + 1
    /\ gone' = gone \union {n}
    /\ copy' = [copy EXCEPT ![n] = "absent"]
    /\ written' = [written EXCEPT ![n] = 0]
    /\ givingUp' = [givingUp EXCEPT ![n] = FALSE]
    /\ promised' = [m \in Nodes |-> IF m = n THEN {} ELSE promised[m] \ {n}]
    /\ UNCHANGED <<wish, changes, sees, moved, badWrites>>

-----------------------------------------------------------------------------
(* Fetching. *)

MayMove(n) == moved[n] + 1 <= Budget

Tick ==
    /\ moved' = [n \in Nodes |-> 0]
    /\ UNCHANGED <<wish, changes, sees, gone, copy, written, givingUp, promised, failures, badWrites>>

Plan(n) ==
    /\ Mine(n) /\ n \notin gone
    /\ copy[n] = "absent"
    /\ copy' = [copy EXCEPT ![n] = "partial"]
    /\ UNCHANGED <<wish, changes, sees, gone, written, givingUp, promised, moved, failures, badWrites>>

Fetch(n) ==
    /\ copy[n] = "partial"
    /\ Good # {}
    /\ MayMove(n)
    /\ moved' = [moved EXCEPT ![n] = @ + 1]
    /\ IF written[n] + 1 < Size
       THEN written' = [written EXCEPT ![n] = @ + 1] /\ UNCHANGED <<copy, badWrites>>
       ELSE /\ written' = [written EXCEPT ![n] = 0]
            /\ \/ copy' = [copy EXCEPT ![n] = "whole"] /\ UNCHANGED badWrites
               \/ /\ badWrites < BadWritesMax
                  /\ badWrites' = badWrites + 1
                  /\ copy' = [copy EXCEPT ![n] = "spoilt"]
    /\ UNCHANGED <<wish, changes, sees, gone, givingUp, promised, failures>>

Verify(n) ==
    /\ copy[n] \in {"whole", "spoilt"}
    /\ copy' = [copy EXCEPT ![n] = IF @ = "whole" THEN "good" ELSE "absent"]
    /\ UNCHANGED <<wish, changes, sees, gone, written, givingUp, promised, moved, failures, badWrites>>

-----------------------------------------------------------------------------
(* Giving up. *)

\* Who has promised somebody that still counts on it.
HasPromised(n) == \E m \in Nodes : n \in promised[m]

Begin(n) ==
    /\ ~Mine(n)
    /\ copy[n] = "good"
    /\ ~givingUp[n]
    /\ ~HasPromised(n)
    /\ givingUp' = [givingUp EXCEPT ![n] = TRUE]
    /\ UNCHANGED <<wish, changes, sees, gone, copy, written, promised, moved, failures, badWrites>>

\* Whose copies count for a node that asks.
Keeps(m) == copy[m] = "good" /\ ~givingUp[m]

Ask(n, m) ==
    /\ givingUp[n]
    /\ m \in Targets(sees[n]) \ promised[n]
    /\ Keeps(m)
    /\ promised' = [promised EXCEPT ![n] = @ \union {m}]
    /\ UNCHANGED <<wish, changes, sees, gone, copy, written, givingUp, moved, failures, badWrites>>

Enough(n) == Cardinality(promised[n]) >= CopiesWanted

GiveUp(n) ==
    /\ givingUp[n]
    /\ Enough(n)
    /\ copy' = [copy EXCEPT ![n] = "absent"]
    /\ givingUp' = [givingUp EXCEPT ![n] = FALSE]
    /\ promised' = [promised EXCEPT ![n] = {}]
    /\ UNCHANGED <<wish, changes, sees, gone, written, moved, failures, badWrites>>

\* Too few promised in time, or the copy belongs here again: it stays, for now.
Keep(n) ==
    /\ givingUp[n]
    /\ ~Enough(n)
    /\ Mine(n) \/ \A m \in Targets(sees[n]) \ promised[n] : ~Keeps(m)
    /\ givingUp' = [givingUp EXCEPT ![n] = FALSE]
    /\ promised' = [promised EXCEPT ![n] = {}]
    /\ UNCHANGED <<wish, changes, sees, gone, copy, written, moved, failures, badWrites>>

\* A node that does not want its unfinished copy any more throws it away.
Abandon(n) ==
    /\ ~Mine(n)
    /\ copy[n] \in {"partial", "whole", "spoilt"}
    /\ copy' = [copy EXCEPT ![n] = "absent"]
    /\ written' = [written EXCEPT ![n] = 0]
    /\ UNCHANGED <<wish, changes, sees, gone, givingUp, promised, moved, failures, badWrites>>

Next ==
    \/ Tick \/ Change
    \/ \E n \in Nodes :
        \/ Learn(n) \/ Fail(n) \/ Plan(n) \/ Fetch(n) \/ Verify(n)
        \/ Begin(n) \/ GiveUp(n) \/ Keep(n) \/ Abandon(n)
        \/ \E m \in Nodes : Ask(n, m)

\* Everybody hears of the new view in the end, time passes, and the nodes work. Each ends what it began.
Spec ==
    /\ Init /\ [][Next]_vars
    /\ WF_vars(Tick)
    /\ WF_vars(\E n \in Nodes : Learn(n))
    /\ WF_vars(\E n \in Nodes : Plan(n) \/ Fetch(n) \/ Verify(n))
    /\ WF_vars(\E n \in Nodes : Begin(n))
    /\ WF_vars(\E n, m \in Nodes : Ask(n, m))
    /\ WF_vars(\E n \in Nodes : Abandon(n))
    /\ \A n \in Nodes : WF_vars(GiveUp(n) \/ Keep(n))

-----------------------------------------------------------------------------
(* Safety. *)

TypeOK ==
    /\ sees \in [Nodes -> {1, 2}]
    /\ copy \in [Nodes -> {"absent", "partial", "whole", "spoilt", "good"}]
    /\ \A n \in Nodes : written[n] < Size /\ (written[n] > 0 => copy[n] = "partial")
    /\ \A n \in Nodes : promised[n] # {} => givingUp[n]

WithinBudget == \A n \in Nodes : moved[n] <= Budget

AGoodCopyRemains == Good # {}

\* What was promised is there.
PromisesAreKept == \A n \in Nodes : \A m \in promised[n] : copy[m] = "good"

\* Of each step that removes a good copy of a disk that works: enough others stay.
GivingUpLeavesEnough ==
    [][\A n \in Nodes :
        (copy[n] = "good" /\ copy'[n] # "good" /\ n \notin gone')
            => Cardinality({m \in Nodes : copy'[m] = "good"}) >= CopiesWanted]_vars

(* Liveness. *)

AtTarget == \A n \in Nodes : copy[n] = "good" <=> n \in Targets(wish)

TargetIsReached == <>[]AtTarget
=============================================================================
