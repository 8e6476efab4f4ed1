package dev.ron.testkit;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A disk in memory that keeps exactly what the contract of {@link Disk} promises, and no more.
 *
 * <p>{@link #crash} is the power going out: what was flushed stays; of what was not, any part may
 * have reached the platter, in any order, a write torn at any sector. It can also be full,
 * read-only, slow, fail the next operations, and lie about its flushes. A bit can be flipped
 * anywhere.
 *
 * <p>Threading: thread-safe; the object's monitor guards everything, it is test code.
 */
public final class FaultyDisk implements Disk {
  private static final int SECTOR_BYTES = 512;

  private final Time time;
  private final RandomGenerator random;
  private final Map<Path, FaultyFile> files = new TreeMap<>();
  private final Map<Path, FaultyFile> durableNames = new HashMap<>();
  private final Set<Path> folders = new HashSet<>();
  private long capacity = Long.MAX_VALUE;
  private int writesUntilFailure = Integer.MAX_VALUE;
  private int flushesUntilFailure = Integer.MAX_VALUE;
  private boolean readOnly;
  private boolean lying;
  private Duration delay = Duration.ZERO;
  private int generation;

  public FaultyDisk(Time time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /** From now on writes fail when the files together would need more than this. */
  public synchronized void capacity(long bytes) {
    capacity = bytes;
  }

  /** The next {@code n} writes succeed, the one after fails and may have written a part. */
  public synchronized void failWriteAfter(int n) {
    writesUntilFailure = n;
  }

  /**
   * The next {@code n} flushes succeed; the one after fails, and what it should have kept is lost.
   */
  public synchronized void failFlushAfter(int n) {
    flushesUntilFailure = n;
  }

  public synchronized void readOnly(boolean on) {
    readOnly = on;
  }

  /** While it lies, a flush answers that all is well and keeps nothing. */
  public synchronized void lying(boolean on) {
    lying = on;
  }

  /** Every write and flush takes this long. */
  public synchronized void slow(Duration each) {
    delay = each;
  }

  public synchronized void flipBit(Path path, long bit) {
    file(path).flip(bit);
  }

  /** The process is gone: handles that were open are dead, and what was written is there. */
  public synchronized void closeAll() {
    generation++;
  }

  /** The power goes out and comes back; handles that were open are dead. */
  public synchronized void crash() {
    generation++;
    var found = new TreeMap<Path, FaultyFile>();
    for (Path folder : folders) {
      // Names that were not flushed may be there or not; a folder's are kept together, so that a
      // rename is seen whole.
      Map<Path, FaultyFile> names = random.nextBoolean() ? files : durableNames;
      names.forEach(
          (path, file) -> {
            if (folder.equals(path.getParent())) {
              found.put(path, file.afterCrash(random, SECTOR_BYTES));
            }
          });
    }
    files.clear();
    files.putAll(found);
    durableNames.clear();
    durableNames.putAll(found);
  }

  @Override
  public synchronized DiskFile open(Path path) throws IOException {
    FaultyFile file = files.get(path);
    if (file == null) {
      writable();
      if (path.getParent() != null && !folders.contains(path.getParent())) {
        throw new NoSuchFileException(path.toString());
      }
      file = new FaultyFile();
      files.put(path, file);
    }
    return new Handle(file, false);
  }

  @Override
  public synchronized DiskFile openReadOnly(Path path) throws IOException {
    FaultyFile file = files.get(path);
    if (file == null) {
      throw new NoSuchFileException(path.toString());
    }
    return new Handle(file, true);
  }

  @Override
  public synchronized boolean exists(Path path) {
    return files.containsKey(path) || folders.contains(path);
  }

  @Override
  public synchronized List<Path> list(Path folder) throws IOException {
    if (!folders.contains(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    return Stream.concat(files.keySet().stream(), folders.stream())
        .filter(path -> folder.equals(path.getParent()))
        .sorted()
        .toList();
  }

  @Override
  public synchronized void createFolders(Path folder) {
    for (Path path = folder; path != null; path = path.getParent()) {
      folders.add(path);
    }
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    writable();
    if (folders.contains(from)) {
      renameFolder(from, to);
      return;
    }
    FaultyFile file = files.remove(from);
    if (file == null) {
      throw new NoSuchFileException(from.toString());
    }
    files.put(to, file);
  }

  /** Survives a crash at once: what is in a folder stays together. */
  private void renameFolder(Path from, Path to) {
    for (Map<Path, FaultyFile> names : List.of(files, durableNames)) {
      Map<Path, FaultyFile> moved = new HashMap<>();
      names.forEach(
          (path, file) -> {
            if (path.startsWith(from)) {
              moved.put(to.resolve(from.relativize(path)), file);
            }
          });
      names.keySet().removeIf(path -> path.startsWith(from));
      names.putAll(moved);
    }
    List<Path> inside = folders.stream().filter(path -> path.startsWith(from)).toList();
    inside.forEach(folders::remove);
    inside.forEach(path -> folders.add(to.resolve(from.relativize(path))));
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    writable();
    if (files.remove(path) == null && folders.contains(path)) {
      if (!list(path).isEmpty()) {
        throw new DirectoryNotEmptyException(path.toString());
      }
      folders.remove(path);
    }
  }

  @Override
  public synchronized void flushDirectory(Path folder) throws IOException {
    writable();
    durableNames.keySet().removeIf(path -> folder.equals(path.getParent()));
    files.forEach(
        (path, file) -> {
          if (folder.equals(path.getParent())) {
            durableNames.put(path, file);
          }
        });
  }

  @Override
  public synchronized long freeBytes(Path path) {
    return capacity - used();
  }

  private FaultyFile file(Path path) {
    FaultyFile file = files.get(path);
    if (file == null) {
      throw new IllegalArgumentException("no file " + path + " among " + files.keySet());
    }
    return file;
  }

  private long used() {
    return files.values().stream().mapToLong(file -> file.content().size()).sum();
  }

  private void writable() throws IOException {
    if (readOnly) {
      throw new IOException("Read-only file system");
    }
  }

  private void pause() throws IOException {
    Duration each;
    synchronized (this) {
      each = delay;
    }
    if (each.isZero()) {
      return;
    }
    try {
      time.sleepUntil(time.now().plus(each));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted on a slow disk", stop);
    }
  }

  /** An open file; dead after a crash. */
  private final class Handle implements DiskFile {
    private final FaultyFile file;
    private final boolean handleReadOnly;
    private final int born = generation;
    private boolean closed;

    Handle(FaultyFile file, boolean handleReadOnly) {
      this.file = file;
      this.handleReadOnly = handleReadOnly;
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      synchronized (FaultyDisk.this) {
        alive();
        return file.content().read(into, position);
      }
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      pause();
      synchronized (FaultyDisk.this) {
        alive();
        writable();
        if (handleReadOnly) {
          throw new IOException("opened for reading only");
        }
        if (writesUntilFailure-- == 0) {
          ByteBuffer part = from.slice(from.position(), random.nextInt(from.remaining() + 1));
          file.write(part, position);
          throw new IOException("Input/output error (planted)");
        }
        long growth = Math.max(0, position + from.remaining() - file.content().size());
        if (growth > capacity - used()) {
          throw new IOException("No space left on device");
        }
        file.write(from, position);
      }
    }

    @Override
    public void flush() throws IOException {
      pause();
      synchronized (FaultyDisk.this) {
        alive();
        if (flushesUntilFailure-- == 0) {
          // As after a failed fsync: the kernel has dropped the pages and will not try again.
          file.forgetUnflushed();
          throw new IOException("Input/output error on flush (planted)");
        }
        if (!lying) {
          file.flush();
        }
      }
    }

    @Override
    public long size() throws IOException {
      synchronized (FaultyDisk.this) {
        alive();
        return file.content().size();
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (FaultyDisk.this) {
        alive();
        writable();
        file.truncate(size);
      }
    }

    @Override
    public void close() {
      synchronized (FaultyDisk.this) {
        closed = true;
      }
    }

    private void alive() throws IOException {
      if (closed || born != generation) {
        throw new IOException("the file is closed" + (closed ? "" : " by a crash"));
      }
    }
  }

  /** The files there are, for a test that corrupts one of them. */
  public synchronized List<Path> paths() {
    return new ArrayList<>(files.keySet());
  }

  public synchronized long size(Path path) {
    return file(path).content().size();
  }
}
