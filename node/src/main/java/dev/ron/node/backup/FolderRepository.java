package dev.ron.node.backup;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Backups in a folder.
 *
 * <p>Threading: owned by one thread.
 */
record FolderRepository(Disk disk, Path folder) implements BackupRepository {
  private static final String DRAFT = ".part";

  /** What is in a backup is as secret as the data folder, which is its owner's alone. */
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<?> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  @Override
  public SortedMap<String, Long> list(String prefix) throws IOException {
    var found = new TreeMap<String, Long>();
    Path below = folder.resolve(prefix);
    if (!Files.isDirectory(below)) {
      return found;
    }
    try (Stream<Path> files = Files.walk(below)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.toString().endsWith(DRAFT)) {
          found.put(folder.relativize(file).toString(), Files.size(file));
        }
      }
    }
    return found;
  }

  @Override
  public void put(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Path parent = Objects.requireNonNull(file.getParent());
    Files.createDirectories(parent, FOLDER);
    Path draft = file.resolveSibling(file.getFileName() + DRAFT);
    try (FileChannel out =
        FileChannel.open(draft, Set.of(CREATE, TRUNCATE_EXISTING, WRITE), FILE)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
    Files.move(draft, file, ATOMIC_MOVE);
    disk.flushDirectory(parent);
  }

  @Override
  public byte[] get(String name, int bytesMax) throws IOException {
    Path file = folder.resolve(name);
    try {
      if (Files.size(file) > bytesMax) {
        throw new IOException(name + " has more than " + bytesMax + " bytes");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException missing) {
      throw new IOException(name + " is missing in " + folder, missing);
    }
  }

  @Override
  public void close() {}
}
