package dev.ron.testkit;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RealDiskContractTest extends DiskContract {
  private final RealDisk disk = new RealDisk();
  @TempDir private Path folder;

  @Override
  protected Disk disk() {
    return disk;
  }

  @Override
  protected Path folder() {
    return folder;
  }
}
