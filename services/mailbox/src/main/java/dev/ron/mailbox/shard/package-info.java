/**
 * The loops that own the shards, and the way in for requests: a bounded inbox per shard, a reply
 * per request.
 *
 * <pre>
 * all shards, as requests see them ..... Shards
 * the only writer of a shard ........... ShardLoop
 * what outlives a failed loop .......... ShardSlot
 * journal first, then apply ............ ShardCommit
 * one request to a shard ............... ShardRequest
 * one place in the inbox ............... InboxItem
 * replies waiting for the disk ......... PendingReplies
 * receive from one or several shards ... MessageReceiver
 * what a receiver asks for ............. ReceiveRequest
 * receives waiting for a message ....... LongPolls
 * what named receives got lately ....... ReceiveAttempts
 * which shards hold a topic ............ TopicShards
 * all queues this machine knows ........ QueueDirectory
 * where a shard is decided ............. Leadership
 * limits of the whole mailbox .......... MailboxLimits
 * a limit all shards share ............. SharedLimit
 * one shard's part of it ............... LimitShare
 * replaces history by a snapshot ....... SnapshotTask
 * when a snapshot is taken ............. SnapshotPolicy
 * moves old live messages forward ...... JournalCompaction
 * expires old messages ................. RetentionSweep
 * empties shards of a former layout .... Rebalancer
 * what a request pays .................. MessageCharges
 * figures and gauges of a shard ........ ShardStats, ShardGauges
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.shard;

import org.jspecify.annotations.NullMarked;
