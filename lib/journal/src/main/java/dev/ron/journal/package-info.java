/**
 * A durable log of records: appended in order, flushed in groups, replayed after a crash.
 *
 * <pre>
 * a log to append to ......... AppendLog        that keeps records .... Journal
 * on files ................... FileJournal
 * without a disk ............. MemoryJournal    its limits ............ JournalSettings
 * the answer to an append .... Appended         is it on the disk? .... Flushed, Durability
 * what can go wrong .......... JournalFault     carried by ............ JournalException
 * one flush for all .......... FlushTask        what waits for it ..... Pending, Batch
 * bytes of a record .......... Frame            of a segment .......... SegmentHeader, SegmentNames
 * reading a segment .......... SegmentReader    walking it ............ SegmentWalk
 * one record by position ..... RecordCursor     where it lies ......... RecordReader, SegmentPlaces
 * writing a segment .......... SegmentWriter    after a crash ......... Recovery, Recovered
 * state instead of history ... Snapshots        one of them ........... Stored, SnapshotWriter, SnapshotReader
 * saving what can be read .... Salvage          what it saved ......... SalvageWriter, SalvageReport
 * </pre>
 */
@NullMarked
package dev.ron.journal;

import org.jspecify.annotations.NullMarked;
