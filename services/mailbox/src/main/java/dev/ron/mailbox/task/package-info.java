/**
 * The loops, and the way in for requests.
 *
 * <pre>
 * the only writer of a shard ... ShardLoop, Commit, ShardHome (what outlives it), Owed, Polls
 * asking it .................... Shards, Receiving, Wish, Posted (a place in the inbox), Ask, Reply; told: Handed, Looked
 * which shard .................. TopicShards
 * bounds ....................... Bounds, Ceiling, Share
 * another number of shards ..... Rebalancer
 * other machines ............... Elsewhere
 * on a period .................. SnapshotTask, SnapshotRules, Carrying; RetentionSweep
 * shown ........................ ShardFigures, ShardGauges
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.task;

import org.jspecify.annotations.NullMarked;
