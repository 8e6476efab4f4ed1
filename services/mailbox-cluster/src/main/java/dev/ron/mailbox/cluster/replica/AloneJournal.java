package dev.ron.mailbox.cluster.replica;

import dev.ron.kernel.disk.Disk;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.raft.RaftSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * The journal of a mailbox that was one machine's alone, taken over as that of the only group.
 *
 * <p>Its records are those of a group's journal, at the positions they have, so a rename does it. A
 * mark says that they come before the log's first entry, until the log knows that by itself.
 *
 * <p>Threading: owned by the thread that opens the mailbox, and then by the one that applies.
 */
public final class AloneJournal {
  private static final String MARK = "alone";

  private final Disk disk;
  private final Path mailbox;
  private final Path group;

  /**
   * @param mailbox the folder of a mailbox alone
   * @param group the folder of the group
   */
  public AloneJournal(Disk disk, Path mailbox, Path group) {
    this.disk = disk;
    this.mailbox = mailbox;
    this.group = group;
  }

  /**
   * Takes the journal over if there is one; before the group's is opened. After a crash at any
   * point, the next start finishes it.
   *
   * @throws IOException if it cannot be the journal of a group; the message says why
   */
  public void adopt(int shardCount, RaftSettings raft) throws IOException {
    Path from = MailboxFolder.journal(mailbox);
    Path to = MailboxFolder.journal(group);
    if (!disk.exists(from) || disk.list(from).isEmpty()) {
      return;
    }
    if (disk.exists(to) && !disk.list(to).isEmpty()) {
      throw new IOException(
          "%s and %s both have messages: one of them is from another time; move it away"
              .formatted(from, to));
    }
    if (!raft.founders().equals(Set.of(raft.node())) || raft.groups() != 1) {
      throw new IOException(
          ("%s has the messages of a mailbox that was alone; they can be taken over by one machine"
                  + " that founds one group by itself: set cluster.founders = [\"%s\"] and"
                  + " cluster.groups = 1, or begin with an empty folder")
              .formatted(from, raft.node()));
    }
    String shards = MailboxFolder.text(disk, mailbox.resolve("shards")).strip();
    if (!shards.equals(Integer.toString(shardCount))) {
      throw new IOException(
          ("%s was made for shard_count = %s and it is %d now: topics still move to other shards;"
                  + " set it back, and change it no more")
              .formatted(mailbox, shards.replaceAll("\\s+", ", "), shardCount));
    }
    MailboxFolder.write(disk, group, MARK, "founds the group\n");
    if (disk.exists(to)) {
      disk.delete(to);
    }
    disk.rename(from, to);
    disk.flushDirectory(group);
    disk.flushDirectory(mailbox);
  }

  /** Whether the group's journal was taken over and the log does not know it yet. */
  boolean isAdopted() {
    return disk.exists(group.resolve(MARK));
  }

  /** The log knows where it begins. */
  void remove() throws IOException {
    if (isAdopted()) {
      disk.delete(group.resolve(MARK));
      disk.flushDirectory(group);
    }
  }
}
