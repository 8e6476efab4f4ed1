package dev.ron.kernel.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.lock.LockOrder;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets through {@code rate} tokens a second, and up to {@code burst} at once after a pause.
 *
 * <p>A token is a request or a byte. Over any window of length t at most {@code burst + rate * t}
 * tokens pass, exactly: the level is kept in integers, in billionths of a token, so no rounding
 * ever gives one away.
 *
 * <p>Threading: thread-safe; {@code lock} guards the level, the rate and the time of the last
 * refill.
 */
public final class TokenBucket {
  private static final long NANO = 1_000_000_000L;

  private final Time time;
  private final long burst;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private long rate;

  @GuardedBy("lock") private long level;

  @GuardedBy("lock") private Instant refilled;

  /**
   * @param rate tokens a second, at least 1
   * @param burst tokens that may pass at once, at least 1, at most 2^33 so that levels fit a long
   */
  public TokenBucket(Time time, long rate, long burst) {
    if (burst < 1 || burst > 1L << 33) {
      throw new IllegalArgumentException("burst = " + burst + ", must be 1 to 2^33");
    }
    this.time = time;
    this.rate = checkedRate(rate);
    this.burst = burst;
    this.level = burst * NANO;
    this.refilled = time.now();
  }

  /** Takes the tokens if they are there now. */
  public boolean tryTake(long tokens) {
    return waitFor(tokens).isZero();
  }

  /**
   * Takes the tokens if they are there now; otherwise takes nothing.
   *
   * @return zero if taken, else how long it will be until they would be there
   */
  public Duration waitFor(long tokens) {
    if (tokens < 0 || tokens > burst) {
      throw new IllegalArgumentException(tokens + " tokens never fit a burst of " + burst);
    }
    lock.lock();
    try {
      refill();
      long wanted = tokens * NANO;
      if (level >= wanted) {
        level -= wanted;
        return Duration.ZERO;
      }
      return Duration.ofNanos(Math.ceilDiv(wanted - level, rate));
    } finally {
      lock.unlock();
    }
  }

  /** How long it will be until the tokens are there; takes nothing. */
  public Duration untilThere(long tokens) {
    lock.lock();
    try {
      refill();
      long missing = Math.min(tokens, burst) * NANO - level;
      return missing <= 0 ? Duration.ZERO : Duration.ofNanos(Math.ceilDiv(missing, rate));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the tokens and takes them.
   *
   * @return false, with nothing taken, if the deadline would pass first
   */
  public boolean take(long tokens, Deadline deadline) throws InterruptedException {
    LockOrder.assertNoneHeld("TokenBucket.take");
    while (true) {
      Duration wait = waitFor(tokens);
      if (wait.isZero()) {
        return true;
      }
      Instant until = time.now().plus(wait);
      if (until.isAfter(deadline.at())) {
        return false;
      }
      time.sleepUntil(until);
    }
  }

  /** Changes the rate from now on; what has accumulated stays. */
  public void rate(long tokensPerSecond) {
    lock.lock();
    try {
      refill();
      rate = checkedRate(tokensPerSecond);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private void refill() {
    Instant now = time.now();
    long missing = burst * NANO - level;
    // Compare first: rate times a long pause would overflow, and the bucket is full by then anyway.
    Duration elapsed = Duration.between(refilled, now);
    Duration untilFull = Duration.ofNanos(Math.ceilDiv(missing, rate));
    level = elapsed.compareTo(untilFull) >= 0 ? burst * NANO : level + elapsed.toNanos() * rate;
    refilled = now;
  }

  private static long checkedRate(long rate) {
    if (rate < 1) {
      throw new IllegalArgumentException("rate = " + rate + ", must be at least 1 a second");
    }
    return rate;
  }
}
