/**
 * Actions on messages, one file each.
 *
 * <pre>
 * send .................................... SendMessage, SendMessageBatch
 * receive ................................. ReceiveMessage
 * look without receiving .................. PeekMessages
 * delete .................................. DeleteMessage, DeleteMessageBatch
 * keep longer, or give back ............... ChangeMessageVisibility, ChangeMessageVisibilityBatch
 * a message on its way in ................. OutgoingMessage
 * a message on its way out ................ IncomingMessage
 * typed attributes ........................ MessageAttributes
 * which characters it may have ............ MessageText
 * sums that clients compare ............... MessageDigests
 * entries of a batch ...................... BatchEntries
 * a word about one message ................ MessageClaim
 * a batch of them ......................... ClaimBatch
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.sqs.message;

import org.jspecify.annotations.NullMarked;
