/**
 * The mailbox on disk: its folder, the facts of all shards in one journal, and the snapshots that
 * replace their history.
 *
 * <pre>
 * facts of all shards, one journal ....... MailboxJournal
 * folder and shard layout file ........... MailboxFolder
 * disk bytes a journal takes ............. DiskUse
 * message bodies read from the journal ... JournalBodies
 * local or replicated journal ............ ReplicationMode
 * facts as bytes ......................... FactWriter, FactReader
 * code of each fact ...................... FactKind
 * queues and moves as bytes .............. QueueCodec
 * one shard captured for a snapshot ...... ShardCapture
 * snapshot of all shards as bytes ........ ShardSnapshotCodec
 * image of a shard as bytes .............. ShardImageWriter, ShardImageReader
 * input that counts its bytes ............ CountedInput
 * log that facts are appended to ......... FactLog
 * </pre>
 */
@NullMarked
package dev.ron.mailbox.journal;

import org.jspecify.annotations.NullMarked;
