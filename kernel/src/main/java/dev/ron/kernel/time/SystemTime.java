package dev.ron.kernel.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Time as the machine tells it.
 *
 * <p>{@link #now()} is anchored to the calendar once, at construction, and follows {@code nanoTime}
 * from there. A step of the calendar can therefore never expire a lease early or keep one forever.
 *
 * <p>Threading: thread-safe; all but the timer is immutable.
 */
public final class SystemTime implements Time {
  /** A century; times are told apart by their distance, and that may not overflow. */
  private static final long LIMIT_NANOS_MAX = Duration.ofDays(36_500).toNanos();

  private final Instant anchor = Instant.now();
  private final long anchorNanos = System.nanoTime();
  private final WaitTimer timer = new WaitTimer();

  @Override
  public Instant now() {
    return anchor.plusNanos(System.nanoTime() - anchorNanos);
  }

  @Override
  public Instant wall() {
    return Instant.now();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's: only it knows the predicate
  public boolean await(Lock lock, Condition condition, Instant until) throws InterruptedException {
    long nanos = nanosUntil(until);
    Waiter.current().pauses();
    return nanos > 0 && condition.awaitNanos(nanos) > 0;
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // as above
  public boolean awaitAlone(Lock lock, Condition condition, Instant until)
      throws InterruptedException {
    long nanos = nanosUntil(until);
    if (nanos < WaitTimer.LEAST_NANOS) {
      return await(lock, condition, until);
    }
    Waiter.current().pauses();
    if (nanos > LIMIT_NANOS_MAX) {
      condition.await();
      return true;
    }
    WaitTimer.Wait wait = timer.signalAt(System.nanoTime() + nanos, lock, condition);
    try {
      condition.await();
    } finally {
      wait.over();
    }
    return nanosUntil(until) > 0;
  }

  @Override
  public void sleepUntil(Instant until) throws InterruptedException {
    long nanos = nanosUntil(until);
    if (nanos > 0) {
      Waiter.current().pauses();
      Thread.sleep(Duration.ofNanos(nanos));
    }
  }

  /**
   * Saturates: {@code Instant.MAX} means "no limit" and must not overflow a long of nanoseconds.
   */
  private long nanosUntil(Instant until) {
    Instant now = now();
    if (!until.isAfter(now)) {
      return 0;
    }
    try {
      return Duration.between(now, until).toNanos();
    } catch (ArithmeticException farAway) {
      return Long.MAX_VALUE;
    }
  }
}
