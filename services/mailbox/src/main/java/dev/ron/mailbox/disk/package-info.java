/**
 * Files: the folder ({@link MailboxFolder}, {@link DiskUse}), the facts of all shards in one
 * journal ({@link MailboxJournal}, {@link FactLog}), messages read back from it ({@link
 * JournalBodies}), and what stands in for their history ({@link Captured}, {@link SnapshotForm}).
 */
@NullMarked
package dev.ron.mailbox.disk;

import org.jspecify.annotations.NullMarked;
