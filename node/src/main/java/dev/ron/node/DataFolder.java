package dev.ron.node;

import dev.ron.capability.SecretFile;
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

  /** In it, the version of everything below that has none of its own. */
  public static final String VERSION_FILE = "version";

  /** In it, what a restore has not put in its place yet. */
  public static final String HALF_RESTORED = ".restore-part";

  private static final String VERSION_WORDS = "ron-data ";
  private static final int VERSION = 1;

  private DataFolder() {}

  /**
   * Refuses a folder that a later build has changed, before anything in it is, or that a restore
   * has filled in part. One without a version is of the first.
   *
   * @throws IOException naming both versions
   */
  public static void requireKnown(Path data) throws IOException {
    if (Files.exists(data.resolve(HALF_RESTORED))) {
      throw new IOException(
          "%s is half restored: a restore runs, or was cut; empty the folder and restore again"
              .formatted(data));
    }
    Path file = data.resolve(VERSION_FILE);
    if (!Files.exists(file)) {
      return;
    }
    String words = Files.readString(file).strip();
    if (!words.equals(VERSION_WORDS + VERSION)) {
      throw new IOException(
          "%s says '%s', known is '%s%d': start the build that wrote it, or restore a backup"
              .formatted(file, words, VERSION_WORDS, VERSION));
    }
  }

  /**
   * Makes the folder, or takes other users' rights away from one that is there.
   *
   * @return what was wrong with it, if anything
   */
  public static Optional<String> make(Path data) throws IOException {
    if (!Files.exists(data)) {
      Files.createDirectories(data, OWNER_ONLY);
      SecretFile.replace(data.resolve(VERSION_FILE), VERSION_WORDS + VERSION + "\n");
      return Optional.empty();
    }
    requireKnown(data);
    if (!Files.exists(data.resolve(VERSION_FILE)) && Files.isWritable(data)) {
      SecretFile.replace(data.resolve(VERSION_FILE), VERSION_WORDS + VERSION + "\n");
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
