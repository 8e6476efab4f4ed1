/**
 * Where objects and shards belong among nodes, how nodes compare what they have, and which copies
 * may be removed: values and decisions without a thread, a clock or a file.
 *
 * <pre>
 * nodes and weights that decide placement ......... ClusterMap
 * one node as placement sees it ................... Member
 * nodes over time, from what the registry lists ... Membership
 * whether a node is there, by last contact ........ Presence
 * assigns shards to nodes ......................... ShardAssignment
 * description of an erasure-coded object .......... CodedObject
 * digests of address ranges ....................... RangeDigests
 * objects another node has and this one lacks ..... InventoryDiff
 * what this node has to fetch ..................... ClusterPlan
 * which write made which copy ..................... WriteLedger
 * copies promised to other nodes .................. CopyPromises
 * repair between nodes, planned ................... NodeRepairPlan
 * </pre>
 */
@NullMarked
package dev.ron.storage.cluster.core;

import org.jspecify.annotations.NullMarked;
