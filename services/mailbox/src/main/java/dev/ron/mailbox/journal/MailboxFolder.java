package dev.ron.mailbox.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.mailbox.core.ShardLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The mailbox's folder: the journal, and beside it the layout of the shards.
 *
 * <p>Topics are bound to shards by their number. So another number is written down together with
 * the one before it, or messages would be left where no shard looks.
 *
 * <p>Threading: immutable.
 */
public final class MailboxFolder {
  /** What a journal in memory may hold; a snapshot is taken at half of it. */
  public static final int MEMORY_BYTES = 1 << 30;

  private static final int MIB = 1 << 20;

  private static final String LAYOUT = "shards";

  /** A line for each count there can be. */
  private static final int LAYOUT_BYTES_MAX = 4096;

  /**
   * Names, attrs and the record's own fields beside the payload. Attributes of a queue's message
   * count against its size as the bytes they are, and take a third more as text.
   */
  private static final int RECORD_BYTES = 512 << 10;

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

  public static FileJournal open(Scope scope, Path folder, JournalSettings settings)
      throws IOException {
    scope.disk().createFolders(journal(folder));
    return FileJournal.open(scope, settings);
  }

  /** A number that a folder was made for and that cannot change; the file has its name. */
  public static void fixed(Disk disk, Path folder, String name, int number) throws IOException {
    disk.createFolders(folder);
    Path file = folder.resolve(name);
    if (!disk.exists(file)) {
      write(disk, folder, name, number + "\n");
      return;
    }
    String found = text(disk, file).strip();
    if (!found.equals(Integer.toString(number))) {
      throw new IOException(
          "%s was made for %s = %s; it is now %d: set it back, or start with an empty folder"
              .formatted(
                  folder, name.equals(LAYOUT) ? "shard_count" : "cluster." + name, found, number));
    }
  }

  /**
   * The folder's layout with the count that is wanted now; written down before anybody acts on it.
   */
  public static ShardLayout layout(Scope scope, Path folder, int shardCount) throws IOException {
    scope.disk().createFolders(folder);
    Optional<ShardLayout> found = read(scope.disk(), folder);
    long nowMillis = scope.time().now().toEpochMilli();
    ShardLayout layout =
        found
            .map(before -> before.changedTo(shardCount, nowMillis))
            .orElseGet(() -> ShardLayout.of(shardCount));
    if (!found.equals(Optional.of(layout))) {
      keep(scope.disk(), folder, layout);
    }
    return layout;
  }

  private static Optional<ShardLayout> read(Disk disk, Path folder) throws IOException {
    Path file = folder.resolve(LAYOUT);
    if (!disk.exists(file)) {
      return Optional.empty();
    }
    Optional<ShardLayout> layout = ShardLayout.parse(text(disk, file));
    if (layout.isEmpty()) {
      throw new IOException(
          file + " does not say how many shards there are; its first line is that number");
    }
    return layout;
  }

  public static String text(Disk disk, Path file) throws IOException {
    try (DiskFile open = disk.openReadOnly(file)) {
      var bytes = ByteBuffer.allocate(LAYOUT_BYTES_MAX);
      open.read(bytes, 0);
      return US_ASCII.decode(bytes.flip()).toString();
    }
  }

  public static void keep(Disk disk, Path folder, ShardLayout layout) throws IOException {
    write(disk, folder, LAYOUT, layout.text());
  }

  /** Under another name first, so that a crash leaves what was there or what comes. */
  public static void write(Disk disk, Path folder, String name, String text) throws IOException {
    Path draft = folder.resolve(name + ".new");
    try (DiskFile open = disk.open(draft)) {
      open.truncate(0);
      open.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), 0);
      open.flush();
    }
    disk.rename(draft, folder.resolve(name));
    disk.flushDirectory(folder);
  }
}
