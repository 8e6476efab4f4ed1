/**
 * The mailbox as pure nouns: no thread, no clock, no file.
 *
 * <pre>
 * decide and apply ......... Shard, with Sending, Delivering, Settling, Aging; ShardState
 * asked, happened, told .... Command, Fact, Decision, Outcome
 * what is sent ............. Message, Bodies, Ulid, HashChain; delivered: Envelope, Receipt
 * where a message is ....... Item; GroupFairness (ready), Delays, VisibilityTimeouts, DeadLetters
 * what is remembered ....... Deduplication, Acknowledged
 * rules .................... ShardLimits, Attempts, DeathReason
 * looking .................. TopicView, TopicTally, DeadLetter, DeadFilter
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.core;

import org.jspecify.annotations.NullMarked;
