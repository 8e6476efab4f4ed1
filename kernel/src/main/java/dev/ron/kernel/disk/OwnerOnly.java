package dev.ron.kernel.disk;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * With which rights files and folders are made: those of the node's user alone, whatever the umask
 * of the shell that started it.
 */
final class OwnerOnly {
  static final FileAttribute<?> FILE = of("rw-------");
  static final FileAttribute<?> FOLDER = of("rwx------");

  private OwnerOnly() {}

  private static FileAttribute<?> of(String rights) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights));
  }
}
