package dev.ron.storage.s3.cluster;

import dev.ron.kernel.disk.Disk;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedFault;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.OrderedUsage;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * This machine's rows, which those of another machine replace as a whole when the log in between is
 * gone.
 *
 * <p>A request that reads while they are replaced fails; none begins meanwhile, because the rows
 * are behind what it has to see.
 *
 * <p>Threading: thread-safe; {@code current} changes when the log's thread installs rows.
 */
final class ReplicatedRows implements OrderedStore {
  private static final String ROWS = "rows";
  private static final String COMING = "rows-coming";
  private static final String WHOLE = "rows-whole";

  private final Disk disk;
  private final Path folder;
  private final OrderedSettings settings;
  private final Opener opener;
  private volatile OrderedStore current;

  private ReplicatedRows(
      Disk disk, Path folder, OrderedSettings settings, Opener opener, OrderedStore current) {
    this.disk = disk;
    this.folder = folder;
    this.settings = settings;
    this.opener = opener;
    this.current = current;
  }

  /** Opens what is there; rows that came whole take the place of those before. */
  static ReplicatedRows open(Disk disk, Path folder, OrderedSettings settings, Opener opener)
      throws IOException {
    disk.createFolders(folder);
    clear(disk, folder.resolve(COMING));
    takeWhole(disk, folder);
    disk.createFolders(folder.resolve(ROWS));
    return new ReplicatedRows(
        disk, folder, settings, opener, opener.open(folder.resolve(ROWS), settings));
  }

  Path folder() {
    return folder;
  }

  /** An empty folder for rows on their way here. */
  Path coming() throws IOException {
    Path coming = folder.resolve(COMING);
    clear(disk, coming);
    disk.createFolders(coming);
    return coming;
  }

  /** All files are there; from now on a start would take them. */
  void whole() throws IOException {
    disk.flushDirectory(folder.resolve(COMING));
    clear(disk, folder.resolve(WHOLE));
    disk.rename(folder.resolve(COMING), folder.resolve(WHOLE));
    disk.flushDirectory(folder);
  }

  /** Goes on with the rows that came, if some did. */
  boolean install() throws IOException {
    if (!disk.exists(folder.resolve(WHOLE))) {
      return false;
    }
    current.close();
    takeWhole(disk, folder);
    current = opener.open(folder.resolve(ROWS), settings);
    return true;
  }

  private static void takeWhole(Disk disk, Path folder) throws IOException {
    if (disk.exists(folder.resolve(WHOLE))) {
      clear(disk, folder.resolve(ROWS));
      disk.rename(folder.resolve(WHOLE), folder.resolve(ROWS));
      disk.flushDirectory(folder);
    }
  }

  /** Deletes a folder of files. */
  static void clear(Disk disk, Path folder) throws IOException {
    if (disk.exists(folder)) {
      for (Path file : disk.list(folder)) {
        disk.delete(file);
      }
      disk.delete(folder);
    }
  }

  @Override
  public Optional<byte[]> row(byte[] key) throws IOException {
    return current.row(key);
  }

  @Override
  public RowCursor scan(KeyRange range) throws IOException {
    return current.scan(range);
  }

  @Override
  public void apply(RowBatch batch, long index) throws IOException {
    current.apply(batch, index);
  }

  @Override
  public long appliedIndex() {
    return current.appliedIndex();
  }

  @Override
  public long flush() throws IOException {
    return current.flush();
  }

  @Override
  public long durableIndex() {
    return current.durableIndex();
  }

  @Override
  public long checkpoint(Path to) throws IOException {
    return current.checkpoint(to);
  }

  @Override
  public OrderedUsage usage() throws IOException {
    return current.usage();
  }

  @Override
  public Optional<OrderedFault> refusal() {
    return current.refusal();
  }

  @Override
  public void close() throws IOException {
    current.close();
  }
}
