package dev.ron.kernel.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/**
 * The machine's file system.
 *
 * <p>Threading: immutable.
 */
public final class RealDisk implements Disk {
  @Override
  public DiskFile open(Path file) throws IOException {
    return new RealFile(
        file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return new RealFile(file, Set.of(StandardOpenOption.READ));
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder, OwnerOnly.FOLDER);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }
}
