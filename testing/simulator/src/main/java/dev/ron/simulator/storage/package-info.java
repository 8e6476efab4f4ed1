/**
 * The storage on three machines, simulated.
 *
 * <pre>
 * what happens to them ....................... StorageScenario
 * one machine, wired as in production ........ StorageMachine
 * the ways between them ...................... NodeWires
 * repair's bytes on those ways ............... RepairMeter
 * what is on the disks, and what can be lost . StoredObjects
 * what clients store ......................... SampleObject
 * an object as one owner sees it ............. OwnedObject
 * clients and what they were told ............ StorageClients
 * </pre>
 */
@NullMarked
package dev.ron.simulator.storage;

import org.jspecify.annotations.NullMarked;
