package dev.ron.edge.fill;

import dev.ron.http.Refusal;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Passes the bytes of a fill that is not kept to its one reader, no faster than that reads.
 *
 * <p>Threading: one writer, one reader; {@code lock} guards everything.
 */
public final class FillPipe implements FillBytes {
  /** Four pieces of the I/O chunk ahead. */
  private static final int AHEAD_BYTES = 256 << 10;

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
  private int ahead;
  private boolean opened;
  private boolean gone;
  private boolean ended;
  private @Nullable Refusal failure;

  public FillPipe(Time time) {
    this.time = time;
  }

  @Override
  public void append(byte[] bytes, int offset, int length)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (ahead + length > AHEAD_BYTES && ahead > 0 && !gone) {
        if (!time.await(lock, changed, Deadline.current().at())) {
          throw new InterruptedIOException("no reader is left");
        }
      }
      if (gone) {
        throw new IOException("the reader is gone");
      }
      pieces.add(Arrays.copyOfRange(bytes, offset, offset + length));
      ahead += length;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
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
      if (opened) {
        return null;
      }
      opened = true;
      return new End();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void letGo() {
    // what is left belongs to the reader
  }

  private final class End implements Reader {
    private byte[] piece = {};
    private int at;

    @Override
    public int read(byte[] into) throws IOException, InterruptedException {
      if (at == piece.length && !next()) {
        return -1;
      }
      int count = Math.min(into.length, piece.length - at);
      System.arraycopy(piece, at, into, 0, count);
      at += count;
      return count;
    }

    private boolean next() throws IOException, InterruptedException {
      lock.lockInterruptibly();
      try {
        while (pieces.isEmpty() && !ended && failure == null) {
          if (!time.await(lock, changed, Deadline.current().at())) {
            throw new InterruptedIOException("waited too long for a fill");
          }
        }
        byte[] next = pieces.poll();
        if (next == null) {
          if (failure != null) {
            throw failure;
          }
          return false;
        }
        piece = next;
        at = 0;
        ahead -= next.length;
        changed.signalAll();
        return true;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      change(
          () -> {
            gone = true;
            pieces.clear();
            ahead = 0;
          });
    }
  }
}
