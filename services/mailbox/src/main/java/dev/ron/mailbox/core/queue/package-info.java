/**
 * Queues as durable records: what a queue is told, what it is called, and what moves between
 * queues. Immutable values that the shard, the journal and the facade share.
 *
 * <pre>
 * one queue as its home shard keeps it ...... QueueRecord
 * what a queue can be told .................. QueueSettings
 * where messages go that fail too often ..... RedriveTarget
 * who may name a queue as its target ........ RedriveAllowance
 * which topics are queues, and attr names ... QueueTopic
 * how many messages a queue has ............. QueueCounts
 * a move of messages between queues ......... MoveTask
 * why something about a queue is refused .... QueueRefusal
 * queues in a shard's image ................. QueueImage
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.core.queue;

import org.jspecify.annotations.NullMarked;
