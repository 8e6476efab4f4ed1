package dev.ron.rewarder.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Makes a file that only its owner can read, before there is a secret in it.
 *
 * <p>Threading: stateless.
 */
public final class OwnerOnlyFile {
  private OwnerOnlyFile() {}

  public static void create(Path file, Disk disk) throws IOException {
    // A disk in memory has no other users.
    if (disk instanceof RealDisk) {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
  }
}
