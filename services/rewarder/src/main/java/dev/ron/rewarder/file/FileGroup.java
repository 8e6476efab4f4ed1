package dev.ron.rewarder.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Files that are opened one after another and closed together, also when a later one cannot be
 * opened.
 *
 * <p>Threading: owned by the thread that made it.
 */
public final class FileGroup implements AutoCloseable {
  private final Disk disk;
  private final Deque<DiskFile> files = new ArrayDeque<>();

  public FileGroup(Disk disk) {
    this.disk = disk;
  }

  public DiskFile open(Path path) throws IOException {
    return with(disk.open(path));
  }

  public DiskFile openReadOnly(Path path) throws IOException {
    return with(disk.openReadOnly(path));
  }

  private DiskFile with(DiskFile file) {
    files.push(file);
    return file;
  }

  /** All are open: from here on their user closes them. */
  public void handOver() {
    files.clear();
  }

  @Override
  public void close() throws IOException {
    if (!files.isEmpty()) {
      try (DiskFile _ = files.pop()) {
        close();
      }
    }
  }
}
