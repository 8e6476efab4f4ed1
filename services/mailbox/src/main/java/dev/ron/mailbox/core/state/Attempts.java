package dev.ron.mailbox.core.state;

import dev.ron.kernel.retry.Backoff;
import java.util.random.RandomGenerator;

/**
 * How often a message may fail, and how long it rests after each refusal.
 *
 * <p>Threading: immutable.
 */
public record Attempts(int max, Backoff backoff) {
  public Attempts {
    // A count that stands still at its largest must be enough to end a message.
    if (max < 1 || max > MessageIndex.ATTEMPTS_MAX) {
      throw new IllegalArgumentException(
          "max_attempts = %d, must be 1 to %d".formatted(max, MessageIndex.ATTEMPTS_MAX));
    }
  }

  public boolean exhausted(int attempts) {
    return attempts >= max;
  }

  /** Rounded up, so that a rest is never shorter than drawn. */
  public long restMillis(int attempts, RandomGenerator random) {
    return Math.ceilDiv(backoff.delay(attempts - 1, random).toNanos(), 1_000_000L);
  }
}
