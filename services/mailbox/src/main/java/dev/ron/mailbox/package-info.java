/**
 * The mailbox: what was acknowledged is never lost.
 *
 * <pre>
 * the wiring ............. MailboxService     settings ......... MailboxConfig
 * what can go wrong ...... MailboxFault       what is counted .. MailboxMetrics
 * the state machine ...... core/  Shard: decide, apply; the nouns of a message's life
 * loops and asking ....... task/  ShardLoop, Shards
 * the journal ............ disk/  MailboxJournal
 * bytes and JSON ......... wire/
 * the verbs .............. api/
 * </pre>
 */
@NullMarked
package dev.ron.mailbox;

import org.jspecify.annotations.NullMarked;
