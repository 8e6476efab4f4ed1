/**
 * The verbs over HTTP: each parses its request, asks a shard and writes its answer.
 *
 * <pre>
 * every route and what it answers .............. MailboxRoutes
 * what all verbs share ......................... MailboxContext
 * a verb of HTTP and gRPC ...................... FormVerb
 * a verb about one shard ....................... ShardVerb
 * send a message ............................... Send
 * send a batch ................................. SendBatch
 * an entry of a batch that failed .............. RefusedEntry
 * receive, with long poll ...................... Receive
 * receive as a stream of lines ................. ReceiveStream
 * ack, nack, extend of a message ............... Ack, Nack, Extend
 * the common part of those three ............... Settle
 * the same for a batch ......................... SettleBatch
 * topics and their counts ...................... Topics, TopicSummary
 * list dead letters ............................ ListDeadLetters
 * find and show a dead letter .................. ShowDeadLetter
 * a verb about one dead letter ................. DeadLetterVerb
 * copy or drop a dead letter ................... CopyDeadLetter, DropDeadLetter
 * send dead letters again ...................... Reprocess
 * what a capability allows ..................... MailboxRights
 * capability and correlation id of a request ... Caller
 * answers as JSON .............................. MailboxJsonAnswer
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.api;

import org.jspecify.annotations.NullMarked;
