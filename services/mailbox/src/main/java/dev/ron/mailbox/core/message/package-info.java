/**
 * A message and what can happen to it: immutable values that all other packages share.
 *
 * <pre>
 * what was sent, without its body ........ Message
 * a message with its body ................ StoredMessage
 * a message as delivered ................. Envelope
 * whose topics a caller reaches .......... TopicOwner
 * payloads by the tenant they belong to .. OwnerBytes
 * message id: time, shard, number ........ Ulid
 * proof of holding a lease ............... Receipt
 * hash a consumer can verify ............. HashChain
 * something that happened to a message ... Fact
 * something that happened to a queue ..... QueueFact
 * why and when a message died ............ DeadLetterEntry
 * reasons for a dead letter .............. DeadLetterReason
 * selection of dead letters .............. DeadLetterFilter
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.core.message;

import org.jspecify.annotations.NullMarked;
