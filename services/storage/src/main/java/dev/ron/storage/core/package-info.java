/**
 * Where copies belong and what is missing, without a thread, a clock or a file.
 *
 * <pre>
 * where copies can be ........ Home        in which order ........... Placement
 * who has what ............... Inventory, Holding
 * what is to be done ......... RepairPlan  and how fast ............. RepairBudget
 * what readers feel of it .... ReadTimes
 * what is known to be bad .... Damage      parts of an upload ....... PartLedger
 * which nodes, what where .... View, Member, ShardMatching; is one there ... Presence
 * who belongs ................ Membership
 * what another node has ...... RangeDigests, InventoryDiff; what to fetch .. ClusterPlan
 * writes taken back .......... WriteLedger  who keeps what .......... Promises
 * bytes in any second ........ ByteWindow   reads asked twice ....... HedgeBudget
 * a coded object ............. CodedObject
 * </pre>
 */
@NullMarked
package dev.ron.storage.core;

import org.jspecify.annotations.NullMarked;
