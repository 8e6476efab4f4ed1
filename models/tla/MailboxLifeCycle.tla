-------------------------- MODULE MailboxLifeCycle ---------------------------
(***************************************************************************)
(* The life of a message in one shard of the mailbox, with a process that  *)
(* may be killed at any point.                                             *)
(*                                                                         *)
(* A message is ready, then in flight under a lease, then acknowledged; or *)
(* ready again when the lease ends; or dead after AttemptsMax deliveries.  *)
(*                                                                         *)
(* Every change is a record appended to a journal. Records sit in the tail *)
(* until a flush makes them durable, many at a time. A crash keeps what    *)
(* was flushed and any prefix of the tail: some of it may have reached the *)
(* disk anyway. Leases and open requests live in memory only and are gone. *)
(*                                                                         *)
(* A send or an ack is answered only when its record is durable. That also *)
(* holds for a repeated send, whose first record may still be in the tail. *)
(* A delivery does not wait for the flush: a crash may forget some         *)
(* attempts, so a message may be delivered more often than AttemptsMax     *)
(* across crashes. That is at-least-once, and is not hidden here.          *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Messages,
    AttemptsMax,  \* deliveries after which a message is dead
    CrashesMax    \* crashes are rare enough to end; without that nothing is certain to finish

VARIABLES
    disk,     \* per message: stage and attempts as the flushed records tell them
    tail,     \* records written and not flushed, oldest first
    leased,   \* the messages in flight (memory only)
    open,     \* requests waiting for their answer (memory only): <<verb, message>>
    sendTold, \* messages whose send was answered with success
    ackTold,  \* messages whose ack was answered with success
    crashes   \* how many crashes there were

vars == <<disk, tail, leased, open, sendTold, ackTold, crashes>>

Fresh == [stage |-> "none", attempts |-> 0]

Init ==
    /\ disk = [m \in Messages |-> Fresh]
    /\ tail = <<>>
    /\ leased = {}
    /\ open = {}
    /\ sendTold = {}
    /\ ackTold = {}
    /\ crashes = 0

-----------------------------------------------------------------------------
(* The journal. Recovery is Apply in a loop, and so is ordinary running. *)

Record(verb, m) == [verb |-> verb, message |-> m]

Apply(state, record) ==
    LET m == record.message
    IN  CASE record.verb = "send"    -> [state EXCEPT ![m].stage = "live"]
          [] record.verb = "deliver" -> [state EXCEPT ![m].attempts = @ + 1]
          [] record.verb = "ack"     -> [state EXCEPT ![m].stage = "acked"]
          [] record.verb = "bury"    -> [state EXCEPT ![m].stage = "dead"]

RECURSIVE Replay(_, _)
Replay(state, records) ==
    IF records = <<>> THEN state ELSE Replay(Apply(state, Head(records)), Tail(records))

\* What the running process believes.
Live == Replay(disk, tail)

\* What a crash cannot take back.
Durable == disk

Write(verb, m) == tail' = Append(tail, Record(verb, m))

Flush ==
    /\ tail # <<>>
    /\ disk' = Live
    /\ tail' = <<>>
    /\ UNCHANGED <<leased, open, sendTold, ackTold, crashes>>

-----------------------------------------------------------------------------
(* Requests, and the rule that makes them safe: an answer looks at what is durable. *)

SeenBySend == Durable
SeenByAck == Durable

\* A client that got no answer may send again, with the same key: that writes nothing new.
Send(m) ==
    /\ m \notin sendTold
    /\ <<"send", m>> \notin open
    /\ open' = open \union {<<"send", m>>}
    /\ IF Live[m].stage = "none" THEN Write("send", m) ELSE UNCHANGED tail
    /\ UNCHANGED <<disk, leased, sendTold, ackTold, crashes>>

AnswerSend(m) ==
    /\ <<"send", m>> \in open
    /\ SeenBySend[m].stage # "none"
    /\ open' = open \ {<<"send", m>>}
    /\ sendTold' = sendTold \union {m}
    /\ UNCHANGED <<disk, tail, leased, ackTold, crashes>>

\* An ack needs the lease it was given, or finds the message acknowledged already.
Ack(m) ==
    /\ m \notin ackTold
    /\ <<"ack", m>> \notin open
    /\ m \in leased \/ Live[m].stage = "acked"
    /\ open' = open \union {<<"ack", m>>}
    /\ IF m \in leased THEN Write("ack", m) ELSE UNCHANGED tail
    /\ leased' = leased \ {m}
    /\ UNCHANGED <<disk, sendTold, ackTold, crashes>>

AnswerAck(m) ==
    /\ <<"ack", m>> \in open
    /\ SeenByAck[m].stage = "acked"
    /\ open' = open \ {<<"ack", m>>}
    /\ ackTold' = ackTold \union {m}
    /\ UNCHANGED <<disk, tail, leased, sendTold, crashes>>

-----------------------------------------------------------------------------
(* Delivery. *)

Ready(m) == Live[m].stage = "live" /\ m \notin leased

Deliver(m) ==
    /\ Ready(m)
    /\ Live[m].attempts < AttemptsMax
    /\ Write("deliver", m)
    /\ leased' = leased \union {m}
    /\ UNCHANGED <<disk, open, sendTold, ackTold, crashes>>

\* The lease ran out, or the consumer refused the message.
Release(m) ==
    /\ m \in leased
    /\ leased' = leased \ {m}
    /\ UNCHANGED <<disk, tail, open, sendTold, ackTold, crashes>>

\* Not part of Release: a crash takes the lease of a last attempt away too, and someone has to notice.
Bury(m) ==
    /\ Ready(m)
    /\ Live[m].attempts >= AttemptsMax
    /\ Write("bury", m)
    /\ UNCHANGED <<disk, leased, open, sendTold, ackTold, crashes>>

-----------------------------------------------------------------------------
(* kill -9, with a torn tail, and the start after it. *)

Crash ==
    /\ crashes < CrashesMax
    /\ crashes' = crashes + 1
    /\ \E kept \in 0..Len(tail) : disk' = Replay(disk, SubSeq(tail, 1, kept))
    /\ tail' = <<>>
    /\ leased' = {}
    /\ open' = {}
    /\ UNCHANGED <<sendTold, ackTold>>

\* Every message has come to its end and nothing is left to write, to answer or to say.
Resting ==
    /\ \A m \in Messages : Live[m].stage \in {"acked", "dead"}
    /\ tail = <<>> /\ open = {}
    /\ UNCHANGED vars

Next ==
    \/ \E m \in Messages :
        Send(m) \/ AnswerSend(m) \/ Ack(m) \/ AnswerAck(m) \/ Deliver(m) \/ Release(m) \/ Bury(m)
    \/ Flush \/ Crash \/ Resting

\* The process runs, consumers poll and leases run out. Nobody has to send, and nobody has to ack.
Spec ==
    /\ Init /\ [][Next]_vars
    /\ WF_vars(Flush)
    /\ \A m \in Messages :
        /\ WF_vars(AnswerSend(m)) /\ WF_vars(AnswerAck(m))
        /\ WF_vars(Deliver(m)) /\ WF_vars(Release(m)) /\ WF_vars(Bury(m))

-----------------------------------------------------------------------------
(* Safety. *)

StageOf(m) ==
    IF Live[m].stage # "live" THEN Live[m].stage ELSE IF m \in leased THEN "in flight" ELSE "ready"

AcknowledgedSendIsKept == \A m \in sendTold : StageOf(m) \in {"ready", "in flight", "acked", "dead"}

AcknowledgedAckIsFinal == \A m \in ackTold : StageOf(m) = "acked"

AttemptsBounded == \A m \in Messages : Live[m].attempts <= AttemptsMax

OnlyLiveIsLeased == \A m \in leased : Live[m].stage = "live"

\* Acknowledged and dead exclude each other, and neither is left while the process runs.
EndsAreFinal ==
    [][crashes' = crashes => \A m \in Messages :
        Live[m].stage \in {"acked", "dead"} => Live'[m].stage = Live[m].stage]_vars

(* Liveness. *)

EveryAcknowledgedSendEnds == \A m \in Messages : (m \in sendTold) ~> (Durable[m].stage \in {"acked", "dead"})

\* Answered, or cut off by a crash; never left hanging.
EveryRequestEnds == \A m \in Messages : \A verb \in {"send", "ack"} : (<<verb, m>> \in open) ~> (<<verb, m>> \notin open)
=============================================================================
