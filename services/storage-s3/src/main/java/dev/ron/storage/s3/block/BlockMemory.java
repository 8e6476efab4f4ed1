package dev.ron.storage.s3.block;

import dev.ron.http.Refusal;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.s3.S3Fault;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many bytes of bodies are in memory, all requests together.
 *
 * <p>Bytes are counted as they come, not as they are announced, so a client that announces much and
 * sends nothing holds nothing. A request that finds no room waits a little, which slows its client
 * down; then it is told to come again.
 *
 * <p>Threading: thread-safe; {@code lock} guards {@code held}.
 */
public final class BlockMemory {
  /** Longer than a block takes to the disk, shorter than a client's patience. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Time time;
  private final long bytesMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private long held;

  public BlockMemory(Time time, long bytesMax) {
    this.time = time;
    this.bytesMax = bytesMax;
  }

  void take(int bytes) throws Refusal, InterruptedException {
    Deadline deadline = Deadline.in(WAIT, time).earlier(Deadline.current());
    lock.lockInterruptibly();
    try {
      while (held + bytes > bytesMax) {
        if (!time.await(lock, room, deadline.at()) && held + bytes > bytesMax) {
          throw Refusal.of(
              new S3Fault.SlowDown("too many uploads are in memory at once", S3Fault.REST));
        }
      }
      held += bytes;
    } finally {
      lock.unlock();
    }
  }

  void giveBack(int bytes) {
    lock.lock();
    try {
      held -= bytes;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public long heldBytes() {
    lock.lock();
    try {
      return held;
    } finally {
      lock.unlock();
    }
  }
}
