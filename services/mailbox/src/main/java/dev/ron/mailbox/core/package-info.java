/**
 * The mailbox as pure nouns: no thread, no clock, no file.
 *
 * <pre>
 * decide and apply ......... Shard, with Sending, Delivering, Settling, Aging; ShardState
 * asked, happened, told .... Command, Fact, Decision, Outcome
 * what is sent ............. Message, Letter, Ulid, HashChain; delivered: Envelope, Receipt
 * what memory holds of it .. MessageIndex, Item, Lanes (topic and group); the rest: Bodies
 * where a message is ....... Lane, LaneQueue, GroupFairness (ready), Delays, VisibilityTimeouts, DeadLetters
 * what is remembered ....... Deduplication, Acknowledged, both an AgedTable
 * all of it at one moment .. ShardImage
 * which shard .............. Layout
 * in which order ........... ReorderDepth
 * rules .................... ShardLimits, Attempts, DeathReason
 * looking .................. TopicView, TopicTally, DeadLetter, Death, DeadFilter
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.core;

import org.jspecify.annotations.NullMarked;
