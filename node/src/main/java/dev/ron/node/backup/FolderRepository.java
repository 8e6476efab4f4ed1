package dev.ron.node.backup;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

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
    if (Files.isDirectory(below)) {
      Files.walkFileTree(below, new Listing(found));
    }
    return found;
  }

  /** Another backup may be under way: its drafts come and go. */
  private final class Listing extends SimpleFileVisitor<Path> {
    private final SortedMap<String, Long> found;

    Listing(SortedMap<String, Long> found) {
      this.found = found;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes own) throws IOException {
      if (!isDraft(file) && Files.isRegularFile(file)) {
        found.put(folder.relativize(file).toString(), Files.size(file));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
      if (isDraft(file) && why instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw why;
    }
  }

  private static boolean isDraft(Path file) {
    return file.toString().endsWith(DRAFT);
  }

  /** Several nodes may put the same piece at once, so each draft has a name of its own. */
  @Override
  public void put(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name).toAbsolutePath();
    Path parent = Objects.requireNonNull(file.getParent());
    make(parent);
    Path draft = Files.createTempFile(parent, file.getFileName() + ".", DRAFT, FILE);
    try {
      try (FileChannel out = FileChannel.open(draft, WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          out.write(left);
        }
        out.force(true);
      }
      Files.move(draft, file, ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
    disk.flushDirectory(parent);
  }

  /** A file is only as durable as every folder above it. */
  private void make(Path parent) throws IOException {
    Path above = parent.getParent();
    if (above == null || Files.isDirectory(parent)) {
      return;
    }
    make(above);
    Files.createDirectories(parent, FOLDER);
    disk.flushDirectory(above);
  }

  @Override
  public byte[] get(String name, int bytesMax) throws IOException {
    Path file = folder.resolve(name);
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(name + " in " + folder + " is no file");
    }
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
