----------------------- MODULE MailboxLifeCycleUnburied ----------------------
(* Broken: a message is buried only by the end of its last lease. A crash during that lease leaves *)
(* the message with no attempts left and nobody to bury it: neither delivered nor dead, for ever.  *)
EXTENDS MailboxLifeCycle

ReleaseOrBury(m) ==
    /\ m \in leased
    /\ leased' = leased \ {m}
    /\ IF Live[m].attempts >= AttemptsMax THEN Write("bury", m) ELSE UNCHANGED tail
    /\ UNCHANGED <<disk, open, sendTold, ackTold, crashes>>

NobodyBuries(m) == FALSE

\* Messages can be stuck here, which is the point; without this TLC would call it a deadlock.
Stuck == tail = <<>> /\ open = {} /\ UNCHANGED vars
=============================================================================
