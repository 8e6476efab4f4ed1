package dev.ron.mailbox.cluster.replica;

import dev.ron.kernel.disk.Disk;
import dev.ron.mailbox.journal.MailboxFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file beside a group's journal that says that the journal is another machine's, on its way here.
 *
 * <p>A journal that was not copied to its end is worth nothing, and one that was is worth something
 * only together with where it ends in the shared log. So the mark is there before the first record
 * and until the log knows where to go on.
 *
 * <p>Threading: owned by the thread that copies.
 */
public final class StateTransferMark {
  private static final String NAME = "copy";
  private static final String UNFINISHED = "unfinished";

  private final Disk disk;
  private final Path folder;

  /**
   * @param folder the group's
   */
  public StateTransferMark(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  public void begin() throws IOException {
    MailboxFolder.write(disk, folder, NAME, UNFINISHED + "\n");
  }

  /**
   * Everything is here.
   *
   * @param end where that is, in one line
   */
  public void finish(String end) throws IOException {
    MailboxFolder.write(disk, folder, NAME, end + "\n");
  }

  /** What {@link #finish} was told, until {@link #remove}. */
  public Optional<String> finished() throws IOException {
    Path file = folder.resolve(NAME);
    return disk.exists(file)
        ? Optional.of(MailboxFolder.text(disk, file).strip())
            .filter(text -> !text.equals(UNFINISHED))
        : Optional.empty();
  }

  /** The log knows as much as the mark. */
  public void remove() throws IOException {
    if (disk.exists(folder.resolve(NAME))) {
      disk.delete(folder.resolve(NAME));
      disk.flushDirectory(folder);
    }
  }

  /** Whether a copy was begun and broken off. */
  public boolean isUnfinished() throws IOException {
    return disk.exists(folder.resolve(NAME)) && finished().isEmpty();
  }

  /** Empties a journal whose copy was broken off; before it is opened. */
  public boolean dropUnfinished() throws IOException {
    if (!isUnfinished()) {
      return false;
    }
    Path journal = MailboxFolder.journal(folder);
    if (disk.exists(journal)) {
      for (Path file : disk.list(journal)) {
        disk.delete(file);
      }
      disk.flushDirectory(journal);
    }
    remove();
    return true;
  }
}
