/**
 * What serves several machines.
 *
 * <pre>
 * the wiring ................. Peering
 * a node ..................... ClusterNode (LocalNode, PeerNode), PeerCalls, PeerHealth, Fanout
 * who belongs, who is there .. Members, Heartbeats    from etcd .......... EtcdMembership, Etcd
 * all objects of all nodes ... Cluster
 * writes to them ............. QuorumWrite, TakeBacks, ClusterDelete
 * reads from them ............ ClusterReading, FoundReading, HedgedRead
 * who counts on copies here .. Claims              records of shards .. CodedRecords
 * shards ..................... Coder, ShardFetch, ShardPipe, CodedReading, CodedIndex, PieceStream
 * repair between them ........ ClusterPlanner, RepairBacklog, LocalInventory, PeerRanges, Courier, RebuiltShard
 * </pre>
 */
@NullMarked
package dev.ron.storage.task;

import org.jspecify.annotations.NullMarked;
