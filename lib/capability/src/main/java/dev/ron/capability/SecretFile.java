package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Files that only their owner may read or write: created so, replaced whole, refused otherwise.
 *
 * <p>Needs a file system with POSIX permissions; on any other it throws rather than pretend.
 *
 * <p>Threading: immutable.
 */
public final class SecretFile {
  static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

  /** The permissions are set as the file is created, so it is at no moment readable by others. */
  static final FileAttribute<Set<PosixFilePermission>> CREATE_OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(OWNER_ONLY);

  private SecretFile() {}

  /** Refuses a file that others may read or write. */
  public static void requireOwnerOnly(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNER_ONLY.containsAll(permissions)) {
      throw new IOException(
          "%s is %s, open to others: chmod 600 it, and replace its content if it may have been read"
              .formatted(file, PosixFilePermissions.toString(permissions)));
    }
  }

  /** After a crash at any point the file holds the old content or the new, never a part. */
  public static void replace(Path file, String content) throws IOException {
    Path target = file.toAbsolutePath();
    Path draft = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    try {
      try (var channel = FileChannel.open(draft, Set.of(CREATE_NEW, WRITE), CREATE_OWNER_ONLY)) {
        writeAll(channel, content);
        channel.force(true);
      }
      Files.move(draft, target, ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
    flushDirectory(target);
  }

  static void writeAll(FileChannel channel, String content) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** A file's name is durable only when its directory is. */
  static void flushDirectory(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      try (var channel = FileChannel.open(directory, READ)) {
        channel.force(true);
      }
    }
  }
}
