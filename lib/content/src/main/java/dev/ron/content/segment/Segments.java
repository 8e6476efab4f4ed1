package dev.ron.content.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All segments, and which of their files are open: never more than {@code filesMax}.
 *
 * <p>Threading: thread-safe; {@code lock} guards the map and the handles in it, and files are
 * opened and closed outside of it.
 */
public final class Segments {
  /** What a segment is called between its end and its deletion; a start deletes it. */
  public static final String GONE = ".gone";

  private final Disk disk;
  private final Path folder;
  private final RandomGenerator random;
  private final int filesMax;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final TreeMap<Integer, Segment> all = new TreeMap<>();

  @GuardedBy("lock") private int filesOpen;

  @GuardedBy("lock") private long uses;

  @GuardedBy("lock") private int nextNumber = 1;

  public Segments(Disk disk, Path folder, RandomGenerator random, int filesMax) {
    this.disk = disk;
    this.folder = folder;
    this.random = random;
    this.filesMax = filesMax;
  }

  /** A segment that was found at the start. */
  public void add(Segment segment) {
    lock.lock();
    try {
      all.put(segment.number(), segment);
      nextNumber = Math.max(nextNumber, segment.number() + 1);
    } finally {
      lock.unlock();
    }
  }

  /** Numbers from here on are free. */
  public void nextNumber(int number) {
    lock.lock();
    try {
      nextNumber = Math.max(nextNumber, number);
    } finally {
      lock.unlock();
    }
  }

  public int nextNumber() {
    lock.lock();
    try {
      return nextNumber;
    } finally {
      lock.unlock();
    }
  }

  /** A new segment, whose name and head are durable before anything is written behind them. */
  Lease create() throws IOException {
    Segment segment = admit();
    DiskFile file = null;
    try {
      file = disk.open(segment.path());
      file.write(segment.head(), 0);
      file.flush();
      disk.flushDirectory(folder);
    } catch (IOException e) {
      forget(segment, file);
      throw e;
    }
    lock.lock();
    try {
      segment.file = file;
      all.put(segment.number(), segment);
    } finally {
      lock.unlock();
    }
    return new Lease(this, segment, file);
  }

  private Segment admit() throws IOException {
    SegmentHandles idle;
    Segment segment;
    lock.lock();
    try {
      idle = makeRoom();
      segment = new Segment(nextNumber++, folder, Segment.newSecret(random));
      segment.users = 1;
      filesOpen++;
    } finally {
      lock.unlock();
    }
    idle.close();
    return segment;
  }

  private void forget(Segment segment, @Nullable DiskFile file) {
    lock.lock();
    try {
      filesOpen--;
    } finally {
      lock.unlock();
    }
    SegmentHandles.close(file);
    try {
      disk.delete(segment.path());
    } catch (IOException _) {
      // Without a whole head it is no segment; the next start passes over it.
    }
  }

  /** The file of a segment for as long as the lease is held; null if the segment is gone. */
  @Nullable public Lease lease(int number) throws IOException {
    Segment segment;
    SegmentHandles idle;
    lock.lock();
    try {
      segment = all.get(number);
      if (segment == null || segment.doomed) {
        return null;
      }
      if (segment.file != null) {
        segment.users++;
        segment.lastUse = ++uses;
        return new Lease(this, segment, segment.file);
      }
      idle = makeRoom();
      segment.users++;
      segment.lastUse = ++uses;
      filesOpen++;
    } finally {
      lock.unlock();
    }
    idle.close();
    return open(segment);
  }

  /** A place among the open files is already taken; gives it back if another thread was faster. */
  private Lease open(Segment segment) throws IOException {
    DiskFile opened;
    try {
      opened = disk.openReadOnly(segment.path());
    } catch (IOException e) {
      lock.lock();
      try {
        segment.users--;
        filesOpen--;
      } finally {
        lock.unlock();
      }
      throw e;
    }
    DiskFile used;
    lock.lock();
    try {
      if (segment.file == null) {
        segment.file = opened;
      } else {
        filesOpen--;
      }
      used = segment.file;
    } finally {
      lock.unlock();
    }
    if (!used.equals(opened)) {
      SegmentHandles.close(opened);
    }
    return new Lease(this, segment, used);
  }

  /** Takes the file that was unused for longest out, if no further one may be open. */
  @GuardedBy("lock") private SegmentHandles makeRoom() throws DiskFailure.TooManyFiles {
    if (filesOpen < filesMax) {
      return SegmentHandles.NONE;
    }
    Segment idle = null;
    for (Segment segment : all.values()) {
      if (segment.file != null
          && segment.users == 0
          && (idle == null || segment.lastUse < idle.lastUse)) {
        idle = segment;
      }
    }
    if (idle == null) {
      throw new DiskFailure.TooManyFiles(filesMax);
    }
    filesOpen--;
    return SegmentHandles.takenFrom(idle);
  }

  /**
   * A second descriptor of a segment that is leased, for a transport to send from. Not the one that
   * is read with: a reader that is interrupted closes that for all others, and a transport would
   * not open it again.
   */
  FileChannel channel(Segment segment) throws IOException {
    lock.lock();
    try {
      if (segment.channel != null) {
        return segment.channel;
      }
    } finally {
      lock.unlock();
    }
    FileChannel opened = FileChannel.open(segment.path());
    FileChannel used;
    lock.lock();
    try {
      used = segment.channel == null ? opened : segment.channel;
      segment.channel = used;
    } finally {
      lock.unlock();
    }
    if (!used.equals(opened)) {
      SegmentHandles.close(opened);
    }
    return used;
  }

  void release(Segment segment) {
    lock.lock();
    try {
      segment.users--;
    } finally {
      lock.unlock();
    }
  }

  @Nullable public Segment find(int number) {
    lock.lock();
    try {
      return all.get(number);
    } finally {
      lock.unlock();
    }
  }

  /** In the order of their numbers. */
  public List<Segment> all() {
    lock.lock();
    try {
      return new ArrayList<>(all.values());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a segment may hold records behind its end that no caller was told of, because the disk
   * failed: a start that has to read everything would find them.
   */
  public boolean anyBroken() {
    lock.lock();
    try {
      return all.values().stream().anyMatch(one -> one.state() == Segment.State.BROKEN);
    } finally {
      lock.unlock();
    }
  }

  public int filesOpen() {
    lock.lock();
    try {
      return filesOpen;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses new users; true once there are none. */
  public boolean doom(Segment segment) {
    lock.lock();
    try {
      segment.doomed = true;
      return segment.users == 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a doomed segment without users out of the folder, durably, and answers where its bytes
   * can still be read until they are deleted.
   */
  public Path retire(Segment segment) throws IOException {
    Path gone = segment.path().resolveSibling(segment.path().getFileName() + GONE);
    disk.rename(segment.path(), gone);
    disk.flushDirectory(folder);
    out(segment, true).close();
    return gone;
  }

  /** Closes every file; the store is of no further use. */
  public void close() {
    all().forEach(segment -> out(segment, false).close());
  }

  private SegmentHandles out(Segment segment, boolean forGood) {
    lock.lock();
    try {
      if (forGood) {
        all.remove(segment.number());
      }
      filesOpen -= segment.file == null ? 0 : 1;
      return SegmentHandles.takenFrom(segment);
    } finally {
      lock.unlock();
    }
  }
}
