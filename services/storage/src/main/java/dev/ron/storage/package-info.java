/**
 * Storage: no byte leaves unless it matches its name.
 *
 * <pre>
 * the wiring ............. StorageService     the doors ........ StorageDoors
 * settings ............... StorageConfig, TierConfig
 * what can go wrong ...... StorageFault       what is counted .. StorageMetrics
 * where copies belong .... core/  Placement, Inventory, RepairPlan
 * pools, repair, scrub ... task/  Pool, Shelves, Transfer, RepairPlanner, RepairWorker, Scrubber
 * directories, uploads ... disk/  Shelf, DataDirectory, Spool
 * JSON ................... wire/
 * the verbs .............. api/
 * </pre>
 */
@NullMarked
package dev.ron.storage;

import org.jspecify.annotations.NullMarked;
