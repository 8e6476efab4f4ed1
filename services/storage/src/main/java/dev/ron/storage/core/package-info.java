/**
 * Where copies belong, which are missing or bad, and how fast repair may go: values and decisions
 * without a thread, a clock or a file.
 *
 * <pre>
 * id of a volume and what it serves ........... VolumeState
 * rendezvous order of volumes for an object ... Placement
 * volumes that hold one object ................ ObjectCopies
 * one page of what all volumes hold ........... Inventory
 * one repair step for one object .............. RepairPlan
 * bytes a second that repair may move ......... RepairBudget
 * read latency with and without repair ........ ReadTimes
 * bytes granted in any one second ............. ByteWindow
 * copies found bad and not yet repaired ....... Damage
 * parts of an upload that are present ......... PartLedger
 * repair that waits, with its urgency ......... QueuedRepair
 * </pre>
 */
@NullMarked
package dev.ron.storage.core;

import org.jspecify.annotations.NullMarked;
