/**
 * Everything a shard knows, in memory: changed only by applying facts, and frozen for a snapshot
 * without a copy.
 *
 * <pre>
 * all state of a shard ...................... ShardState
 * a shard frozen at one moment .............. ShardImage
 * limits of one shard ....................... ShardLimits
 * maximum attempts and backoff .............. Attempts
 * three words of memory per message ......... MessageIndex
 * 64 neighbours in that index ............... IndexPage
 * one message as the index knows it ......... IndexedMessage
 * messages of one topic and group ........... MessageGroup
 * the groups by number ...................... MessageGroups
 * topic and group of a group ................ MessageGroupName
 * ready messages of a group, oldest first ... ReadyQueue
 * which ready message of a topic is next .... ReadyTopics
 * deficit round robin between groups ........ GroupFairness
 * groups of a FIFO queue, blocked or open ... FifoOrder
 * how far a message was overtaken ........... ReorderDepth
 * leases and when they end .................. VisibilityTimeouts
 * messages not ready yet .................... Delays
 * messages by due time ...................... DueTimes
 * dead letters of a shard ................... DeadLetters
 * idempotency keys within t_replay .......... IdempotencyKeys
 * ids acknowledged recently ................. RecentAcks
 * table that drops its oldest entries ....... AgedTable
 * that table at one moment .................. FrozenTable
 * counts per topic .......................... TopicTally
 * queues whose home a shard is .............. QueueTable
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.core.state;

import org.jspecify.annotations.NullMarked;
