/**
 * The journal in segment files: writing and flushing, reading, recovery after a crash, snapshots,
 * and salvage of a corrupt journal.
 *
 * <pre>
 * journal in segment files ........... FileJournal
 * one flush for many appends ......... FlushTask
 * appends waiting for a flush ........ AppendBuffer
 * records of one flush ............... FlushBatch
 * layout of a record ................. Frame
 * first bytes and names of files ..... SegmentHeader, SegmentNames
 * writes the growing segment ......... SegmentWriter
 * reads a segment through a window ... SegmentWindow
 * walks from record to record ........ SegmentWalk
 * reads one record by position ....... RecordCursor
 * open segments for single reads ..... RecordReader
 * offsets of records in a segment .... SegmentOffsets
 * cuts a torn tail at open ........... JournalRecovery
 * snapshots of a journal ............. Snapshots
 * snapshot as bytes .................. SnapshotWriter, SnapshotReader
 * copies what is readable ............ Salvage
 * segments of the salvaged journal ... SalvageWriter
 * what salvage saved and lost ........ SalvageReport
 * reads all, says what is lost ....... JournalCheck
 * copy of a segment in use ........... SegmentCopy
 * </pre>
 */
@NullMarked
package dev.ron.journal.file;

import org.jspecify.annotations.NullMarked;
