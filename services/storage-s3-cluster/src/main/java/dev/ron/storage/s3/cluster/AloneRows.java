package dev.ron.storage.s3.cluster;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of an S3 door that was one machine's alone, taken over as those that several keep.
 *
 * <p>A mark says that they come before the log's first entry, until the log knows that by itself.
 *
 * <p>Threading: owned by the thread that opens the rows, and then by the one that applies.
 */
final class AloneRows {
  private static final String MARK = "alone";
  private static final String ROWS = "rows";

  private final Disk disk;
  private final Path folder;

  /**
   * @param folder of the rows that several machines keep
   */
  AloneRows(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  /** Where the names of a machine alone are, with all of its log in the rows and both closed. */
  @FunctionalInterface
  interface Settled {
    Optional<Path> names() throws IOException;
  }

  /**
   * Takes the rows over if there are some; before those of several machines are opened. After a
   * crash at any point, the next start finishes it.
   *
   * @throws IOException if the log has other founders, who do not have these rows
   */
  void adopt(Settled settled, Set<String> founders, String machine) throws IOException {
    if (disk.exists(folder.resolve(ROWS))) {
      return;
    }
    Optional<Path> alone = settled.names();
    if (alone.isEmpty()) {
      return;
    }
    if (!founders.equals(Set.of(machine))) {
      throw new IOException(
          ("%s has the names of a machine that was alone; they can be taken over by the machine"
                  + " that founds the log by itself: set s3.cluster.founders = [\"%s\"], or begin"
                  + " with an empty folder")
              .formatted(alone.get(), machine));
    }
    disk.createFolders(folder);
    try (DiskFile mark = disk.open(folder.resolve(MARK))) {
      mark.write(ByteBuffer.wrap(new byte[] {'\n'}), 0);
      mark.flush();
    }
    disk.flushDirectory(folder);
    disk.rename(alone.get().resolve(ROWS), folder.resolve(ROWS));
    disk.flushDirectory(folder);
    disk.flushDirectory(alone.get());
  }

  /** Whether the rows were taken over and the log does not know it yet. */
  boolean isAdopted() {
    return disk.exists(folder.resolve(MARK));
  }

  /** The log knows where it begins. */
  void remove() throws IOException {
    if (isAdopted()) {
      disk.delete(folder.resolve(MARK));
      disk.flushDirectory(folder);
    }
  }
}
