package dev.ron.kernel.time;

import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The only source of time, and the only way to wait for it.
 *
 * <p>Production code never reads a clock or sleeps by itself: it is handed a {@code Time}, so that
 * the same code runs in real time on threads and in virtual time in tests.
 *
 * <p>There are two readings. {@link #now()} never steps back and is what deadlines, leases and
 * buckets are measured in. {@link #wall()} is the calendar, which an operator or NTP may set back
 * and forth; it is only for what leaves the process: timestamps, expiry dates, logs.
 */
public interface Time {
  /** Monotonic: the calendar time at which the process began, plus what has elapsed since. */
  Instant now();

  /** The calendar, for timestamps that other machines read. */
  Instant wall();

  /**
   * Waits on a condition until it is signalled or {@code until} has come.
   *
   * <p>The caller holds {@code lock} and rechecks its predicate in a loop, as with any condition.
   *
   * @return false if {@code until} has passed, true if the wait may have ended for another reason
   */
  boolean await(Lock lock, Condition condition, Instant until) throws InterruptedException;

  /**
   * As {@link #await}, on a condition on which no other thread waits: that may be cheaper.
   *
   * @return false if {@code until} has passed, true if the wait may have ended for another reason
   */
  default boolean awaitAlone(Lock lock, Condition condition, Instant until)
      throws InterruptedException {
    return await(lock, condition, until);
  }

  /** Sleeps until {@code until}; returns at once if that has passed. */
  void sleepUntil(Instant until) throws InterruptedException;
}
