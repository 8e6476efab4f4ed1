package dev.ron.edge.fill;

import dev.ron.http.Refusal;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all bytes of a fill until its last reader is done: the first in memory, the rest in a file.
 *
 * <p>So a thousand readers cost no more than one, and a slow one does not hold up the others. The
 * store cannot serve them: nothing is visible there before it is whole. One that needed no file can
 * be read as long as a reader has it open.
 *
 * <p>Threading: one writer, many readers; {@code lock} guards the counts and the list. Bytes below
 * {@code written} never change, so they are copied outside of it.
 */
public final class FillSpool implements FillBytes {
  /** Most answers are smaller and never see the file. */
  private static final long MEMORY_BYTES = 256 << 10;

  private final Time time;
  private final @Nullable Disk disk;
  private final @Nullable Path path;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<byte[]> first = new ArrayList<>();
  private @Nullable DiskFile file;
  private long inMemory;
  private long written;
  private int users = 1;
  private boolean ended;
  private @Nullable Refusal failure;

  /**
   * @param path a name of its own for what does not stay in memory; null keeps everything there
   */
  public FillSpool(Time time, @Nullable Disk disk, @Nullable Path path) {
    this.time = time;
    this.disk = disk;
    this.path = path;
  }

  @Override
  public void append(byte[] bytes, int offset, int length) throws IOException {
    boolean toMemory = disk == null || path == null || inMemory + length <= MEMORY_BYTES;
    if (toMemory && file == null) {
      byte[] copy = new byte[length];
      System.arraycopy(bytes, offset, copy, 0, length);
      change(
          () -> {
            first.add(copy);
            inMemory += length;
            written += length;
          });
      return;
    }
    DiskFile to = file();
    to.write(ByteBuffer.wrap(bytes, offset, length), written - inMemory);
    change(() -> written += length);
  }

  private DiskFile file() throws IOException {
    DiskFile open = file;
    if (open == null) {
      if (disk == null || path == null) {
        throw new IllegalStateException("a spool without a file");
      }
      open = disk.open(path);
      DiskFile made = open;
      change(() -> file = made);
    }
    return open;
  }

  @Override
  public void end() {
    change(() -> ended = true);
  }

  @Override
  public void fail(Refusal why) {
    change(() -> failure = failure == null && !ended ? why : failure);
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Reader open() {
    lock.lock();
    try {
      if (users == 0 && file != null) {
        return null;
      }
      users++;
      return new Place();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void letGo() {
    DiskFile last = null;
    lock.lock();
    try {
      if (--users == 0) {
        last = file;
        if (last != null) {
          first.clear();
        }
      }
    } finally {
      lock.unlock();
    }
    if (last != null && disk != null && path != null) {
      try {
        last.close();
        disk.delete(path);
      } catch (IOException _) {
        // the next start empties the folder
      }
    }
  }

  /** Where one reader is. */
  private final class Place implements Reader {
    private long at;
    private int chunk;
    private int within;
    private boolean closed;

    @Override
    public int read(byte[] into) throws IOException, InterruptedException {
      long until = await();
      if (until == at) {
        return -1;
      }
      int count = at < inMemory ? fromMemory(into) : fromFile(into, until);
      at += count;
      return count;
    }

    /** The count of bytes that can be read; equal to the place at the end. */
    private long await() throws IOException, InterruptedException {
      lock.lockInterruptibly();
      try {
        while (written == at && !ended && failure == null) {
          if (!time.await(lock, changed, Deadline.current().at())) {
            throw new InterruptedIOException("waited too long for a fill");
          }
        }
        if (written == at && failure != null) {
          throw failure;
        }
        return written;
      } finally {
        lock.unlock();
      }
    }

    private int fromMemory(byte[] into) {
      byte[] bytes = piece();
      int count = Math.min(into.length, bytes.length - within);
      System.arraycopy(bytes, within, into, 0, count);
      within += count;
      return count;
    }

    private byte[] piece() {
      lock.lock();
      try {
        if (within == first.get(chunk).length) {
          chunk++;
          within = 0;
        }
        return first.get(chunk);
      } finally {
        lock.unlock();
      }
    }

    private int fromFile(byte[] into, long until) throws IOException {
      DiskFile from = file;
      int wanted = (int) Math.min(into.length, until - at);
      int count = from == null ? 0 : from.read(ByteBuffer.wrap(into, 0, wanted), at - inMemory);
      if (count == 0) {
        throw new IOException("the spool lost bytes that were written");
      }
      return count;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        letGo();
      }
    }
  }
}
