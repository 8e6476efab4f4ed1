/**
 * The store on disk: group commit, reads, recovery and compaction over segment files and the index.
 *
 * <pre>
 * the store ........................................... SegmentStore
 * its settings ........................................ SegmentConfig
 * how often bytes at rest are verified ................ VerifyMode
 * index, segments and commit order in step ............ ContentCatalogue
 * hashes incoming streams and requests their commit ... Intake
 * object written group by group as it arrives ......... StreamedPut
 * task that makes writes durable, many per flush ...... GroupCommit
 * small objects and tombstones of one flush ........... SharedBatch
 * request to the group commit ......................... CommitRequest
 * reads a range from a segment ........................ SegmentContentReader
 * rebuilds the state at start ......................... StoreRecovery
 * index in a file, for a quick start .................. IndexSnapshot
 * what is free on its disk ............................ FreeSpace
 * task that compacts and writes snapshots ............. StoreMaintenance
 * which segment to compact next ....................... CompactionCandidates
 * copies live records to another segment .............. Compaction
 * reads all, says what is lost ........................ StoreCheck
 * </pre>
 */
@NullMarked
package dev.ron.content.store;

import org.jspecify.annotations.NullMarked;
