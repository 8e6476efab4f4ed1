/**
 * Whole objects on several nodes: quorum writes, hedged reads, deletes on all nodes.
 *
 * <pre>
 * object store over all nodes ............. ClusterStore
 * one write, acknowledged by a quorum ..... QuorumWrite
 * delete on all nodes or none ............. ClusterDelete
 * read from any node, window by window .... ClusterReader
 * read that locates its object first ...... LazyClusterReader
 * second request when the first is slow ... HedgedRead
 * share of reads that may be hedged ....... HedgeBudget
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.object;

import org.jspecify.annotations.NullMarked;
