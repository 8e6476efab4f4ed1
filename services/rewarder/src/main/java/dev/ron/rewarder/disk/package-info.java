/**
 * Files, journals, and what comes by address.
 *
 * <pre>
 * inputs by address ...... SealedInputs: FileInputs, StorageInputs, StorageHealth; SealedStream
 * what they are .......... Decoded, DecodedStream, LineBlocks
 * scores past memory ..... SpilledScores, ScoreEntry, ScoreFileCursor
 * a run's lines .......... AllocationWriter, AllocationReader
 * finished runs .......... Artifacts; signed by Attestor
 * how far it is paid ..... Outbox
 * the embedded ledger .... LedgerBook
 * files .................. DiskOutput, DiskInput, MemoryDisk, OwnerOnly
 * </pre>
 */
@NullMarked
package dev.ron.rewarder.disk;

import org.jspecify.annotations.NullMarked;
