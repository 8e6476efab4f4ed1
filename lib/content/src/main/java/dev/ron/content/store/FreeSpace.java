package dev.ron.content.store;

import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What is free where a store lies, as it was a moment ago: metrics and placement ask often, and
 * must have an answer while the disk gives none.
 *
 * <p>Threading: thread-safe; the maintenance of the store looks, all others read.
 */
final class FreeSpace {
  private final Disk disk;
  private final Path folder;
  private volatile long bytes;

  FreeSpace(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
    look();
  }

  void look() {
    try {
      bytes = disk.freeBytes(folder);
    } catch (IOException _) {
      bytes = 0; // a disk that cannot say takes nothing either
    }
  }

  long bytes() {
    return bytes;
  }
}
