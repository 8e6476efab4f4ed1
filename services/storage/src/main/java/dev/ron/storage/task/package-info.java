/**
 * What runs and what requests meet on their way to the bytes.
 *
 * <pre>
 * who may work now ........... Pool, WaitingRoom      bodies in memory ... BodyBudget
 * all directories as one ..... Shelves                opening them ....... DataDirectories
 * a read with its fallbacks .. Transfer, TransferStream
 * uploads in parts ........... Uploads, Upload        their end .......... UploadCompletion, UploadSweep
 * what happened .............. StorageEvent           told to the log .... EventLog
 * which homes are there ...... PlacementTask
 * what is known to be bad .... DamageBook
 * keeping copies good ........ Upkeep: RepairPlanner, RepairQueue, RepairBacklog, RepairWorker, Pace, Scrubber
 * all objects as one ......... Stock, Reading; of one node Shelves, of several Cluster
 * cold objects in a bucket ... Tiering: Tier, TierReading, TierMove, TouchedLately
 * with several nodes ......... Peering: ClusterNode (LocalNode, PeerNode), PeerCalls, PeerHealth
 * who belongs, who is there .. Members, Heartbeats    from etcd .......... EtcdMembership, Etcd
 * writes to them ............. QuorumWrite, TakeBacks, ClusterDelete
 * reads from them ............ ClusterReading, HedgedRead
 * who counts on copies here .. Claims              records of shards .. CodedRecords
 * shards ..................... Coder, ShardFetch, CodedReading, CodedIndex
 * repair between them ........ ClusterPlanner, LocalInventory, PeerRanges, Courier, RebuiltShard
 * </pre>
 */
@NullMarked
package dev.ron.storage.task;

import org.jspecify.annotations.NullMarked;
