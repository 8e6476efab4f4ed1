-------------------------- MODULE DeficitRoundRobin --------------------------
(***************************************************************************)
(* Tenants share one server by deficit round robin.                        *)
(*                                                                         *)
(* Each tenant has a bounded backlog of items, and each item a cost. A     *)
(* pointer goes round the tenants. A tenant with work is granted its       *)
(* quantum once per visit, then items are served from the head of its      *)
(* backlog while the deficit pays for them. What is left is kept for the   *)
(* next visit, unless the backlog is empty: an idle tenant saves nothing   *)
(* up. Then the pointer moves on.                                          *)
(*                                                                         *)
(* A backlog that is full drops its oldest item, which is answered at      *)
(* once. After shutdown nothing arrives any more, what is queued goes on   *)
(* being served, and if the drain deadline passes the rest is dropped.     *)
(*                                                                         *)
(* Arrivals never have to end: a loud tenant may refill its backlog for    *)
(* ever, which is what fairness has to stand up to.                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    TenantCount,  \* tenants are 1..TenantCount, in the order of the round
    Quanta,       \* the possible sizes of a quantum; Quantum below gives each tenant its own
    Costs,        \* what an item may cost
    BacklogMax    \* items per tenant

ASSUME 0 \notin Quanta /\ 0 \notin Costs

Tenants == 1..TenantCount

Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : x <= y

\* The first tenant has the largest quantum and the others the smallest, so shares are unequal.
Quantum(t) == IF t = 1 THEN Max(Quanta) ELSE Min(Quanta)
CostMax == Max(Costs)

VARIABLES
    backlog,   \* per tenant: the costs of its items, oldest first
    deficit,   \* per tenant: what it may still spend
    turn,      \* the tenant the pointer is at
    granted,   \* that tenant has had its quantum in this visit
    waited,    \* per tenant with work: cost served to others since it last was served
    fruitless, \* steps of the scheduler since it last served anybody
    phase      \* Running, Draining, Stopped

vars == <<backlog, deficit, turn, granted, waited, fruitless, phase>>

Init ==
    /\ backlog = [t \in Tenants |-> <<>>]
    /\ deficit = [t \in Tenants |-> 0]
    /\ turn = 1
    /\ granted = FALSE
    /\ waited = [t \in Tenants |-> 0]
    /\ fruitless = 0
    /\ phase = "Running"

HasWork(t) == backlog[t] # <<>>
AnyWork == \E t \in Tenants : HasWork(t)

-----------------------------------------------------------------------------
(* The bounds that are proved. Counters stop one above them, to keep the state space finite. *)

\* Visits after which the tenant's deficit pays for any item.
RoundsToAfford(t) == (CostMax + Quantum(t) - 1) \div Quantum(t)

RECURSIVE Sum(_, _)
Sum(f, n) == IF n = 0 THEN 0 ELSE f[n] + Sum(f, n - 1)

\* In n rounds another tenant spends at most n quanta and what it had kept from before.
WaitMax(t) ==
    Sum([u \in Tenants |-> IF u = t THEN 0 ELSE RoundsToAfford(t) * Quantum(u) + CostMax - 1], TenantCount)

\* A visit costs at most a grant and a move, and the poorest tenant with work decides how many rounds.
FruitlessMax == Max({RoundsToAfford(t) : t \in Tenants}) * 2 * TenantCount

Capped(n, max) == IF n > max THEN max + 1 ELSE n

-----------------------------------------------------------------------------
(* Arrivals. *)

Arrive(t, cost) ==
    /\ phase = "Running"
    /\ backlog' = [backlog EXCEPT ![t] =
          IF Len(@) < BacklogMax THEN Append(@, cost) ELSE Append(Tail(@), cost)]
    /\ UNCHANGED <<deficit, turn, granted, waited, fruitless, phase>>

-----------------------------------------------------------------------------
(* The scheduler. It rests only when nobody has work. *)

Fruitless == fruitless' = Capped(fruitless + 1, FruitlessMax)

Following(t) == (t % TenantCount) + 1

Grant(t) ==
    /\ turn = t /\ HasWork(t) /\ ~granted
    /\ deficit' = [deficit EXCEPT ![t] = @ + Quantum(t)]
    /\ granted' = TRUE
    /\ Fruitless
    /\ UNCHANGED <<backlog, turn, waited, phase>>

\* What a tenant keeps once it has spent `cost` and `rest` is still queued.
Kept(t, cost, rest) == IF rest = <<>> THEN 0 ELSE deficit[t] - cost

Serve(t) ==
    /\ turn = t /\ granted /\ HasWork(t)
    /\ LET cost == Head(backlog[t])
           rest == Tail(backlog[t])
       IN  /\ cost <= deficit[t]
           /\ backlog' = [backlog EXCEPT ![t] = rest]
           /\ deficit' = [deficit EXCEPT ![t] = Kept(t, cost, rest)]
           /\ waited' = [u \in Tenants |->
                IF u = t \/ ~HasWork(u) THEN 0 ELSE Capped(waited[u] + cost, WaitMax(u))]
    /\ fruitless' = 0
    /\ UNCHANGED <<turn, granted, phase>>

\* Nothing to serve here, or not enough deficit for it.
VisitOver(t) == IF HasWork(t) THEN granted /\ Head(backlog[t]) > deficit[t] ELSE TRUE

PointerAfter(t) == Following(t)

Move(t) ==
    /\ turn = t /\ AnyWork /\ VisitOver(t)
    /\ turn' = PointerAfter(t)
    /\ granted' = FALSE
    /\ Fruitless
    /\ UNCHANGED <<backlog, deficit, waited, phase>>

Step == \E t \in Tenants : Grant(t) \/ Serve(t) \/ Move(t)

-----------------------------------------------------------------------------
(* Shutdown. *)

RequestShutdown ==
    /\ phase = "Running"
    /\ phase' = "Draining"
    /\ UNCHANGED <<backlog, deficit, turn, granted, waited, fruitless>>

\* May happen at any moment of the drain, or never.
DeadlinePasses ==
    /\ phase = "Draining" /\ AnyWork
    /\ backlog' = [t \in Tenants |-> <<>>]
    /\ deficit' = [t \in Tenants |-> 0]
    /\ UNCHANGED <<turn, granted, waited, fruitless, phase>>

Stop ==
    /\ phase = "Draining" /\ ~AnyWork
    /\ phase' = "Stopped"
    /\ UNCHANGED <<backlog, deficit, turn, granted, waited, fruitless>>

Resting == phase = "Stopped" /\ UNCHANGED vars

Next ==
    \/ \E t \in Tenants, cost \in Costs : Arrive(t, cost)
    \/ Step
    \/ RequestShutdown \/ DeadlinePasses \/ Stop
    \/ Resting

\* The scheduler's thread runs. Nothing is assumed of arrivals, of shutdown or of the deadline.
Spec == Init /\ [][Next]_vars /\ WF_vars(Step) /\ WF_vars(Stop)

-----------------------------------------------------------------------------
(* Safety. *)

BacklogBounded == \A t \in Tenants : Len(backlog[t]) <= BacklogMax

DeficitBounded == \A t \in Tenants : deficit[t] >= 0 /\ deficit[t] < Quantum(t) + CostMax

IdleKeepsNoDeficit == \A t \in Tenants : ~HasWork(t) => deficit[t] = 0

\* With work anywhere the scheduler can step, and serves somebody within a bounded number of steps.
WorkConserving == AnyWork => ENABLED Step /\ fruitless <= FruitlessMax

\* Fairness as a number: how much others are served while a tenant waits.
WaitBounded == \A t \in Tenants : waited[t] <= WaitMax(t)

(* Liveness. *)

\* A tenant is idle again and again, or is served again and again.
NobodyStarves == \A t \in Tenants : []<>(~HasWork(t)) \/ []<><<Serve(t)>>_vars

DrainEnds == (phase = "Draining") ~> (phase = "Stopped" /\ ~AnyWork)
=============================================================================
