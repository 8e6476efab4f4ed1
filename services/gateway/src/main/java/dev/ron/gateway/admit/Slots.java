package dev.ron.gateway.admit;

import dev.ron.gateway.core.FewPlaces;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The places toward one pool: how many are taken, and how many requests wait for one.
 *
 * <p>Both counts are one word, so that every change sees both. That is what makes the switch
 * between the two paths lose nothing: a request either takes a free place while none waits, or is
 * counted as waiting, in one step; and the request that gives a place back sees in the same step
 * whether another waits for it. There is no moment in which a place is free, a request waits, and
 * no thread knows of both. {@code models/tla/FairSlots.tla} proves it.
 *
 * <p>Threading: thread-safe; {@code word} holds the taken places above and the waiting requests
 * below, changed by compare-and-set or by adding. Only the scheduler calls {@link #grant}.
 */
public final class Slots {
  private static final long ONE_TAKEN = 1L << 32;
  private static final long ONE_WAITING = 1;
  private static final long WAITING_BITS = ONE_TAKEN - 1;

  private final AtomicLong word = new AtomicLong();
  private volatile Bounds bounds;

  /**
   * @param max what the limit is when all is well; far below it the scheduler hands out every place
   */
  private record Bounds(int limit, int max) {
    Bounds {
      if (limit < 1 || limit > max) {
        throw new IllegalArgumentException("places = %d of %d".formatted(limit, max));
      }
    }

    boolean few() {
      return FewPlaces.are(limit, max);
    }
  }

  public Slots(int limit) {
    this.bounds = new Bounds(limit, limit);
  }

  /**
   * Takes a place if one is free and no request waits; otherwise, or while there are few, the
   * caller is counted as waiting.
   */
  public boolean enterOrWait() {
    while (true) {
      long seen = word.get();
      Bounds now = bounds;
      boolean free = waiting(seen) == 0 && taken(seen) < now.limit && !now.few();
      if (word.compareAndSet(seen, seen + (free ? ONE_TAKEN : ONE_WAITING))) {
        return free;
      }
    }
  }

  /** Counts the caller as waiting, whether or not a place is free. */
  public void await() {
    word.addAndGet(ONE_WAITING);
  }

  /** A place is free for a request that waits; only the scheduler takes it while one does. */
  boolean grantable() {
    Bounds now = bounds;
    return taken(word.get()) < (now.few() ? now.max : now.limit);
  }

  /** So few that it matters who holds them. */
  public boolean few() {
    return bounds.few();
  }

  /** Gives a place to one of those who wait. */
  void grant() {
    word.addAndGet(ONE_TAKEN - ONE_WAITING);
  }

  /** One of those who wait went away. */
  void stopWaiting() {
    word.addAndGet(-ONE_WAITING);
  }

  /** Gives a place back; true if a request waits for one. */
  boolean release() {
    return waiting(word.addAndGet(-ONE_TAKEN)) > 0;
  }

  public int taken() {
    return taken(word.get());
  }

  public int waiting() {
    return waiting(word.get());
  }

  public int limit() {
    return bounds.limit;
  }

  public int max() {
    return bounds.max;
  }

  /** A lower limit lets the excess run out. */
  public void limit(int limit, int max) {
    bounds = new Bounds(limit, max);
  }

  private static int taken(long seen) {
    return (int) (seen >>> 32);
  }

  private static int waiting(long seen) {
    return (int) (seen & WAITING_BITS);
  }
}
