/**
 * A durable log of records: appended in order, flushed in groups, replayed after a crash. This
 * package is the contract, and the journal without a disk.
 *
 * <pre>
 * what a journal does ................ Journal
 * a journal in memory, for amnesia ... AmnesiaJournal
 * folder and limits .................. JournalSettings
 * everything a journal refuses ....... JournalFault
 * a fault thrown while reading ....... JournalException
 * result of an append ................ AppendResult
 * how far the disk is ................ FlushPosition
 * result of waiting for the disk ..... Durability
 * what was found at open ............. RecoveryReport
 * a snapshot to read ................. StoredSnapshot
 * a log to append to ................. AppendLog
 * </pre>
 */
@NullMarked
package dev.ron.journal;

import org.jspecify.annotations.NullMarked;
