/**
 * What runs and what requests meet on their way to the bytes.
 *
 * <pre>
 * who may work now ........... Pool, WaitingRoom      bodies in memory ... BodyBudget
 * all objects as one ......... Stock, Reading; of one machine Shelves
 * opening the directories .... DataDirectories        which are there .... PlacementTask
 * copies of one write ........ PutTally
 * a read with its fallbacks .. Transfer, TransferStream
 * uploads in parts ........... Uploads, Upload        their end .......... UploadCompletion, UploadSweep
 * what happened .............. StorageEvent           told to the log .... EventLog
 * what is known to be bad .... DamageBook
 * keeping copies good ........ Upkeep: RepairPlanner, RepairQueue, RepairWorker, Pace, Scrubber, Scrub
 * carrying a plan out ........ DiskRepair             what became of it .. RepairOutcome
 * cold objects in a bucket ... Tiering: Tier, TierReading, TierMove, TouchedLately
 * </pre>
 */
@NullMarked
package dev.ron.storage.task;

import org.jspecify.annotations.NullMarked;
