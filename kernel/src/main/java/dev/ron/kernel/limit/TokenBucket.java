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
 * tokens pass, exactly.
 *
 * <p>Threading: thread-safe; {@code lock} guards the level.
 */
public final class TokenBucket {
  private final Time time;
  private final long burst;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final TokenLevel level;

  /**
   * @param rate tokens a second, at least 1
   * @param burst tokens that may pass at once, at least 1, at most 2^33 so that levels fit a long
   */
  public TokenBucket(Time time, long rate, long burst) {
    this.time = time;
    this.burst = burst;
    this.level = new TokenLevel(rate, burst, time.now());
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
      Instant now = time.now();
      Duration wait = level.untilThere(tokens, now);
      if (wait.isZero()) {
        level.take(tokens, now);
      }
      return wait;
    } finally {
      lock.unlock();
    }
  }

  /** How long it will be until the tokens are there; takes nothing. */
  public Duration untilThere(long tokens) {
    lock.lock();
    try {
      return level.untilThere(tokens, time.now());
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
      level.change(tokensPerSecond, burst, time.now());
    } finally {
      lock.unlock();
    }
  }
}
