/**
 * The mailbox on several machines: wiring, settings, and the requests between a machine and a
 * leader.
 *
 * <pre>
 * wiring of a replicated mailbox ......... MailboxClusterService
 * settings of the cluster ................ MailboxClusterConfig
 * shards and raft groups here ............ ReplicatedShards
 * spreads leadership over the machines ... LeadershipBalancer
 * asks the leader of a shard ............. LeaderClient
 * batches requests to one leader ......... LeaderRequestQueue
 * answers requests of other machines ..... LeaderServer
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.cluster;

import org.jspecify.annotations.NullMarked;
