package dev.ron.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A small file system of its own, in memory: it really fills up, can be made read-only, and can go.
 *
 * <p>Threading: owned by the test.
 */
final class TinyDisk implements AutoCloseable {
  private final Path mount;

  private TinyDisk(Path mount) {
    this.mount = mount;
  }

  /** Needs the right to mount, which the tests' user may not have; then the test says so. */
  static TinyDisk mount(Path folder, String size) throws Exception {
    Files.createDirectories(folder);
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
    Assumptions.assumeTrue(
        mounted, "NOT RUN: this user may not mount a tmpfs, so no real full or read-only disk");
    return new TinyDisk(folder);
  }

  void readOnly(boolean on) throws IOException, InterruptedException {
    if (!run("mount", "-o", "remount," + (on ? "ro" : "rw"), mount.toString())) {
      throw new IOException("cannot remount " + mount);
    }
  }

  /** As a disk that is pulled: open files go on, the name shows an empty folder. */
  void pull() throws IOException, InterruptedException {
    if (!run("umount", "-l", mount.toString())) {
      throw new IOException("cannot unmount " + mount);
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(List.of(command)).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Override
  public void close() {
    try {
      run("umount", "-l", mount.toString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("cannot unmount " + mount, e);
    }
  }
}
