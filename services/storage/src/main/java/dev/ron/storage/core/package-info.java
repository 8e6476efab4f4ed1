/**
 * Where copies belong and what is missing, without a thread, a clock or a file.
 *
 * <pre>
 * where copies can be ........ Home        in which order ........... Placement
 * who has what ............... Inventory, Holding
 * what is to be done ......... RepairPlan  and how fast ............. RepairBudget
 * what waits in the queue ..... QueuedRepair
 * what readers feel of it .... ReadTimes   bytes in any second ...... ByteWindow
 * what is known to be bad .... Damage      parts of an upload ....... PartLedger
 * </pre>
 */
@NullMarked
package dev.ron.storage.core;

import org.jspecify.annotations.NullMarked;
