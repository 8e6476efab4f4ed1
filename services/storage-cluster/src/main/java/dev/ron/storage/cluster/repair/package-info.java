/**
 * Repair between nodes: each node compares itself with the others, fetches what belongs to it and
 * removes what does not.
 *
 * <pre>
 * task that compares this node with others ..... ClusterPlanner
 * urgent plans waiting for room in the queue ... RepairBacklog
 * carries out plans between nodes .............. ClusterRepair
 * address ranges of another node ............... PeerRanges
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.repair;

import org.jspecify.annotations.NullMarked;
