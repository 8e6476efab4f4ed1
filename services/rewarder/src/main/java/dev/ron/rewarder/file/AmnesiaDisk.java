package dev.ron.rewarder.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Amnesia's disk: files in memory, up to a limit, gone with the process.
 *
 * <p>Threading: thread-safe; each file's {@code lock} guards its bytes.
 */
public final class AmnesiaDisk implements Disk {
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentSkipListMap<Path, Kept> files = new ConcurrentSkipListMap<>();

  public AmnesiaDisk(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public DiskFile open(Path file) {
    return files.computeIfAbsent(file, _ -> new Kept());
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    Kept kept = files.get(file);
    if (kept == null) {
      throw new NoSuchFileException(file.toString());
    }
    return kept;
  }

  @Override
  public boolean exists(Path path) {
    return files.containsKey(path) || !list(path).isEmpty();
  }

  @Override
  public List<Path> list(Path folder) {
    return files.keySet().stream()
        .filter(file -> file.startsWith(folder) && !file.equals(folder))
        .map(file -> folder.resolve(folder.relativize(file).getName(0)))
        .distinct()
        .toList();
  }

  @Override
  public void createFolders(Path folder) {
    // a folder is there when a file in it is
  }

  @Override
  public void rename(Path from, Path to) {
    for (Path file : List.copyOf(files.keySet())) {
      if (file.startsWith(from)) {
        Kept moved = files.remove(file);
        Path target = file.equals(from) ? to : to.resolve(from.relativize(file));
        if (moved != null) {
          files.put(target, moved);
        }
      }
    }
  }

  @Override
  public void delete(Path file) {
    Kept gone = files.remove(file);
    if (gone != null) {
      bytes.addAndGet(-gone.size());
    }
  }

  @Override
  public void flushDirectory(Path folder) {
    // nothing outlives the process
  }

  @Override
  public long freeBytes(Path path) {
    return Math.max(0, bytesMax - bytes.get());
  }

  /** One file; closing it keeps it. */
  private final class Kept implements DiskFile {
    private final ReentrantLock lock = new ReentrantLock();
    private byte[] content = new byte[0];
    private int length;

    @Override
    public int read(ByteBuffer into, long position) {
      lock.lock();
      try {
        int count = Math.clamp(length - position, 0, into.remaining());
        into.put(content, (int) Math.min(position, length), count);
        return count;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      lock.lock();
      try {
        int end = Math.toIntExact(position + from.remaining());
        grow(end);
        from.get(content, (int) position, from.remaining());
        length = Math.max(length, end);
      } finally {
        lock.unlock();
      }
    }

    private void grow(int end) throws IOException {
      if (end > length && bytes.addAndGet(end - length) > bytesMax) {
        bytes.addAndGet(length - end);
        throw new IOException("amnesia keeps no more than " + bytesMax + " bytes");
      }
      if (end > content.length) {
        content = java.util.Arrays.copyOf(content, Math.max(end, Math.max(4096, 2 * length)));
      }
    }

    @Override
    public void flush() {
      // nothing outlives the process
    }

    @Override
    public long size() {
      lock.lock();
      try {
        return length;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void truncate(long size) {
      lock.lock();
      try {
        int shorter = (int) Math.min(size, length);
        bytes.addAndGet(shorter - length);
        length = shorter;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      // kept
    }
  }
}
