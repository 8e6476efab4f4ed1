/**
 * Where objects belong among nodes and what is missing, without a thread, a clock or a file.
 *
 * <pre>
 * which nodes, what where .... View, Member, ShardMatching; is one there ... Presence
 * who belongs ................ Membership
 * what another node has ...... RangeDigests, InventoryDiff; what to fetch .. ClusterPlan
 * what is to be done ......... NodeRepairPlan
 * writes taken back .......... WriteLedger  who keeps what .......... Promises
 * reads asked twice .......... HedgeBudget  a coded object .......... CodedObject
 * </pre>
 */
@NullMarked
package dev.ron.storage.core;

import org.jspecify.annotations.NullMarked;
