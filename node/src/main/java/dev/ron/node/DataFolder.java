package dev.ron.node;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** The folder of everything durable: messages, objects and keys are its owner's alone. */
public final class DataFolder {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  static final FileAttribute<?> OWNER_ONLY = PosixFilePermissions.asFileAttribute(OWNER);

  private DataFolder() {}

  /**
   * Makes the folder, or takes other users' rights away from one that is there.
   *
   * @return what was wrong with it, if anything
   */
  public static Optional<String> make(Path data) throws IOException {
    if (!Files.exists(data)) {
      Files.createDirectories(data, OWNER_ONLY);
      return Optional.empty();
    }
    Set<PosixFilePermission> found = Files.getPosixFilePermissions(data);
    if (OWNER.containsAll(found)) {
      return Optional.empty();
    }
    String was = PosixFilePermissions.toString(found);
    try {
      Files.setPosixFilePermissions(data, OWNER);
      return Optional.of("it was " + was + " and is rwx------ now");
    } catch (FileSystemException anothers) {
      return Optional.of("it is " + was + " and belongs to another user: others can look into it");
    }
  }
}
