package dev.ron.blake3;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one large input, hashed by whoever has time: the caller and the threads of a pool
 * claim one part after another from a counter.
 *
 * <p>Threading: thread-safe. A part is claimed by one atomic increment, so exactly one thread
 * writes its chaining value; the latch publishes those writes to the caller. The caller claims
 * until no part is left, so it only ever waits for parts that a running thread holds.
 */
final class Team {
  private final Mode mode;
  private final MemorySegment in;
  private final Kernel kernel;
  private final int parts;
  private final byte[] values;
  private final AtomicLong next = new AtomicLong();
  private final CountDownLatch unfinished;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Team(Mode mode, MemorySegment in, Kernel kernel) {
    this.mode = mode;
    this.in = in;
    this.kernel = kernel;
    this.parts = Math.toIntExact(Tree.parts(in.byteSize()));
    this.values = new byte[Math.multiplyExact(parts, Hash.BYTES)];
    this.unfinished = new CountDownLatch(parts);
  }

  static Node node(Mode mode, MemorySegment in, Executor pool, Kernel kernel) {
    if (in.byteSize() <= Tree.PART_BYTES) {
      return new Blake3Hasher(mode, 0, kernel).update(in).node();
    }
    Team team = new Team(mode, in, kernel);
    team.invite(pool);
    team.work();
    team.awaitOthers();
    Throwable failed = team.failure.get();
    if (failed != null) {
      throw new IllegalStateException("a part could not be hashed", failed);
    }
    return Levels.over(mode, team.values, team.parts, kernel).top();
  }

  private void invite(Executor pool) {
    int helpers = Math.min(parts, Runtime.getRuntime().availableProcessors()) - 1;
    try {
      for (int i = 0; i < helpers; i++) {
        pool.execute(this::help);
      }
    } catch (RejectedExecutionException _) {
      // A full pool is no fault: the caller does what nobody else does.
    }
  }

  private void help() {
    // A segment of a confined arena belongs to the caller alone.
    if (in.isAccessibleBy(Thread.currentThread())) {
      work();
    }
  }

  private void work() {
    Blake3Hasher hasher = new Blake3Hasher(mode, 0, kernel);
    for (long part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
      try {
        hash(hasher, part);
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      } finally {
        unfinished.countDown();
      }
    }
  }

  private void hash(Blake3Hasher hasher, long part) {
    long from = part * Tree.PART_BYTES;
    long length = Math.min(Tree.PART_BYTES, in.byteSize() - from);
    hasher.restart(from / Tree.CHUNK_BYTES).update(in.asSlice(from, length));
    hasher.node().chainingValue(values, (int) part * Hash.BYTES);
  }

  /** Uninterruptible, because it lasts no longer than one part takes. */
  private void awaitOthers() {
    boolean interrupted = false;
    while (true) {
      try {
        unfinished.await();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
