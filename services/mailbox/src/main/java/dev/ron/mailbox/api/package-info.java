/**
 * The verbs over HTTP: each parses its request, asks a shard and writes its answer.
 *
 * <pre>
 * every route and what it answers .............. MailboxRoutes
 * what all verbs share ......................... MailboxContext
 * send one or a batch .......................... Send
 * receive, with long poll ...................... Receive
 * receive as a stream of lines ................. ReceiveStream
 * ack, nack, extend of a message ............... Ack, Nack, Extend
 * the common part of those three ............... Settle
 * list, show, copy and drop dead letters ....... DeadLetterRoutes
 * send dead letters again ...................... Reprocess
 * topics and their counts ...................... Topics
 * what a capability allows ..................... MailboxRights
 * capability and correlation id of a request ... Caller
 * answers as JSON .............................. MailboxJsonAnswer
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.api;

import org.jspecify.annotations.NullMarked;
