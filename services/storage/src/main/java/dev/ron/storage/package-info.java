/**
 * Storage of objects under the hash of their bytes: the wiring, the settings, the faults, the
 * metrics and the events.
 *
 * <pre>
 * wiring of the whole tree ................ StorageService
 * settings of the service ................. StorageConfig
 * faults and their order .................. StorageFault
 * every metric ............................ StorageMetrics
 * events that several components follow ... StorageEvent
 * the doors and their limits .............. StorageDoors
 * </pre>
 */
@NullMarked
package dev.ron.storage;

import org.jspecify.annotations.NullMarked;
