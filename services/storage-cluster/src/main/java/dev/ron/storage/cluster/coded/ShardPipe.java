package dev.ron.storage.cluster.coded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A shard on its way from the coder to the node that takes it.
 *
 * <p>Threading: one thread writes, one reads; {@code lock} guards the few units between them.
 */
final class ShardPipe extends PieceStream {
  private static final int UNITS = 4;
  private static final Duration STALL = Duration.ofSeconds(10);

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock") private final ArrayDeque<byte[]> units = new ArrayDeque<>(UNITS);

  @GuardedBy("lock") private boolean broken;

  ShardPipe(Time time) {
    this.time = time;
  }

  /** False if its reader is gone. */
  boolean write(byte[] unit) throws InterruptedException {
    Instant until = time.now().plus(STALL);
    lock.lockInterruptibly();
    try {
      boolean waits = true;
      while (!broken && units.size() == UNITS && waits) {
        waits = time.await(lock, changed, until);
      }
      broken |= units.size() == UNITS;
      if (!broken) {
        units.add(unit);
      }
      changed.signalAll();
      return !broken;
    } finally {
      lock.unlock();
    }
  }

  boolean end() throws InterruptedException {
    return write(END);
  }

  /** Tells the other side that nothing more will come of it. */
  void abandon() {
    lock.lock();
    try {
      broken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  byte[] next() throws IOException, InterruptedException {
    Instant until = time.now().plus(STALL);
    lock.lockInterruptibly();
    try {
      boolean waits = true;
      while (!broken && units.isEmpty() && waits) {
        waits = time.await(lock, changed, until);
      }
      if (broken) {
        throw new IOException("the write was given up");
      }
      byte[] unit = units.poll();
      if (unit == null) {
        throw new IOException("the coder stalls");
      }
      changed.signalAll();
      return unit;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    abandon();
  }
}
