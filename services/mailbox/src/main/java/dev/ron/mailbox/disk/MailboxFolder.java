package dev.ron.mailbox.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.journal.FileJournal;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The mailbox's folder: the journal, and beside it the number of shards it was made for.
 *
 * <p>Topics and ids are bound to shards by that number, so another one is refused rather than
 * leaving messages where nobody looks.
 *
 * <p>Threading: immutable.
 */
public final class MailboxFolder {
  /** What a journal in memory may hold; a snapshot is taken at half of it. */
  public static final int MEMORY_BYTES = 1 << 30;

  private static final int MIB = 1 << 20;

  /** Names, attrs and the record's own fields beside the payload. */
  private static final int RECORD_BYTES = 128 << 10;

  private MailboxFolder() {}

  public static Path journal(Path folder) {
    return folder.resolve("journal");
  }

  /** A buffer for four of the largest records, and segments of several buffers. */
  public static JournalSettings settings(Path folder, long payloadBytes, Duration flushEvery) {
    int record = Math.toIntExact(payloadBytes) + RECORD_BYTES;
    int buffer = Math.max(4 * MIB, 4 * record);
    return JournalSettings.in(journal(folder))
        .named("mailbox-journal")
        .sized(Math.max(64 * MIB, 4 * buffer), buffer, record, MIB)
        .flushedEvery(flushEvery);
  }

  /** The same limits for a journal without a disk. */
  public static JournalSettings inMemory(JournalSettings settings) {
    return settings.sized(
        MEMORY_BYTES, settings.bufferBytes(), settings.recordBytesMax(), settings.growBytes());
  }

  public static FileJournal open(Scope scope, Path folder, int shardCount, JournalSettings settings)
      throws IOException {
    Disk disk = scope.disk();
    disk.createFolders(journal(folder));
    fixed(disk, folder, "shards", shardCount);
    return FileJournal.open(scope, settings);
  }

  /** A number that a folder was made for and that cannot change; the file has its name. */
  public static void fixed(Disk disk, Path folder, String name, int number) throws IOException {
    disk.createFolders(folder);
    Path file = folder.resolve(name);
    if (disk.exists(file)) {
      check(disk, file, number);
    } else {
      write(disk, folder, file, number);
    }
  }

  private static void check(Disk disk, Path file, int number) throws IOException {
    try (DiskFile open = disk.openReadOnly(file)) {
      var bytes = ByteBuffer.allocate(16);
      open.read(bytes, 0);
      String found = US_ASCII.decode(bytes.flip()).toString().strip();
      if (!found.equals(Integer.toString(number))) {
        throw new IOException(
            "%s was made for %s = %s; it is now %d: set it back, or start with an empty folder"
                .formatted(
                    file.getParent(),
                    file.endsWith("shards") ? "shard_count" : "cluster." + file.getFileName(),
                    found,
                    number));
      }
    }
  }

  /** Under another name first, so that a crash leaves a whole number or none. */
  private static void write(Disk disk, Path folder, Path file, int number) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (DiskFile open = disk.open(draft)) {
      open.truncate(0);
      open.write(ByteBuffer.wrap((number + "\n").getBytes(US_ASCII)), 0);
      open.flush();
    }
    disk.rename(draft, file);
    disk.flushDirectory(folder);
  }
}
