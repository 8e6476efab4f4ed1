/**
 * Keeps copies good on one machine: planning, carrying out and throttling repair, and scrubbing
 * data at rest.
 *
 * <pre>
 * parts and tasks of repair, wired ............... RepairTasks
 * task that compares actual with wanted copies ... RepairPlanner
 * plans waiting for a worker, urgent first ....... RepairQueue
 * task that carries out plans .................... RepairWorker
 * byte budget that gives way to readers .......... RepairThrottle
 * full read and hash of one copy ................. Scrub
 * task that scrubs every volume once a period .... Scrubber
 * repair between the disks of one machine ........ DiskRepair
 * what became of a repair ........................ RepairOutcome
 * </pre>
 */
@NullMarked
package dev.ron.storage.repair;

import org.jspecify.annotations.NullMarked;
