/**
 * Objects on the disks of one machine: the volumes that hold the copies, writing to them, reading
 * with fallback, and the limits on concurrent work.
 *
 * <pre>
 * all objects as one store .............................. ObjectStore
 * object store over the local volumes ................... Volumes
 * one place for copies: store and condition ............. Volume
 * configured directory: id, folders, presence ........... DataDirectory
 * opens the directories and their stores ................ DataDirectories
 * task that probes volumes and publishes placement ...... PlacementTask
 * task that finds disks that hang ...................... DiskWatch
 * verified range of an object, being read ............... ObjectReader
 * read that falls back to other copies .................. FallbackReader
 * object reader as an input stream ...................... ObjectReaderStream
 * copies of one write, counted against the quorum ....... PutTally
 * bad copies: counted, announced, marked in the store ... DamageTracker
 * permits for concurrent work on disks and hashes ....... Permits
 * bounded queue for permits, the work queue ............. PermitQueue
 * verified objects in memory, bounded ................... VerifiedMemory
 * piece of that memory, written once .................... MemorySlab
 * object in memory, held while it is sent ............... MemoryLease
 * object on its way into memory, read from memory ....... MemoryFill, MemoryReader
 * charges for what is kept .............................. ByteSecondsTask
 * bytes of request bodies in memory ..................... BodyBudget
 * a platform thread for hashing, awaited ................ ComputeThread
 * </pre>
 */
@NullMarked
package dev.ron.storage.object;

import org.jspecify.annotations.NullMarked;
