package dev.ron.mailbox.journal;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;

/** Measures how much disk a journal takes; a journal in memory takes none. */
@FunctionalInterface
public interface DiskUse {
  long bytes() throws IOException;

  static DiskUse none() {
    return () -> 0;
  }

  static DiskUse of(Disk disk, Path folder) {
    return () -> {
      long sum = 0;
      for (Path file : disk.list(folder)) {
        try (DiskFile open = disk.openReadOnly(file)) {
          sum += open.size();
        }
      }
      return sum;
    };
  }
}
