package dev.ron.rewarder;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The machine's disk, on which one of the operations that open or change something fails, which
 * loses names that were not flushed when the power goes out, and which knows what is still open.
 *
 * <p>Threading: thread-safe; armed and healed while nothing is written.
 */
final class FailingDisk implements Disk {
  private final Disk disk = new RealDisk();
  private final Deque<Renamed> unflushed = new ConcurrentLinkedDeque<>();
  private final Set<Watched> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger operationsLeft = new AtomicInteger(Integer.MAX_VALUE);
  private volatile @Nullable String failed;

  /** A name that a power cut takes back. */
  private record Renamed(Path from, Path to) {}

  /** The next {@code n} operations succeed, the one after fails. */
  void failAfter(int n) {
    operationsLeft.set(n);
    failed = null;
  }

  /** What failed, once it has. */
  @Nullable String failed() {
    return failed;
  }

  /** The files that were opened and not closed. */
  List<Path> open() {
    return open.stream().map(file -> file.path).toList();
  }

  void heal() {
    operationsLeft.set(Integer.MAX_VALUE);
  }

  void powerCut() throws IOException {
    while (!unflushed.isEmpty()) {
      Renamed last = unflushed.pop();
      Files.move(last.to(), last.from());
    }
  }

  private void change(String operation, Path path) throws IOException {
    if (operationsLeft.getAndDecrement() == 0) {
      failed = operation + " " + path.getFileName();
      throw new IOException("Input/output error (planted) at " + failed);
    }
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    change("open", file);
    return new Watched(disk.open(file), file);
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return new Watched(disk.openReadOnly(file), file);
  }

  @Override
  public boolean exists(Path path) {
    return disk.exists(path);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return disk.list(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    change("create", folder);
    disk.createFolders(folder);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    change("rename", to);
    disk.rename(from, to);
    unflushed.push(new Renamed(from, to));
  }

  @Override
  public void delete(Path file) throws IOException {
    change("delete", file);
    disk.delete(file);
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    change("flush folder", folder);
    disk.flushDirectory(folder);
    unflushed.removeIf(
        renamed ->
            folder.equals(renamed.to().getParent()) || folder.equals(renamed.from().getParent()));
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return disk.freeBytes(path);
  }

  /** A file whose writes and flushes count. */
  private final class Watched implements DiskFile {
    private final DiskFile file;
    private final Path path;

    Watched(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
      open.add(this);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return file.read(into, position);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      change("write", path);
      file.write(from, position);
    }

    @Override
    public void flush() throws IOException {
      change("flush", path);
      file.flush();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      change("truncate", path);
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      open.remove(this);
      file.close();
    }
  }
}
