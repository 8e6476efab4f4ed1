package dev.ron.gateway.core;

import dev.ron.kernel.retry.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Whether a request that got no answer is sent once more, and when.
 *
 * <p>Only if sending it twice does the same as sending it once, its body is at hand, and the rest
 * of its time is longer than the pause.
 *
 * <p>Threading: immutable.
 *
 * @param retries after the first try
 */
public record RetryRule(int retries) {
  public static final int RETRIES_MAX = 2;

  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");
  private static final Backoff PAUSE = Backoff.rpc();

  public RetryRule {
    if (retries < 0 || retries > RETRIES_MAX) {
      throw new IllegalArgumentException(
          "retries = %d, must be 0 to %d".formatted(retries, RETRIES_MAX));
    }
  }

  public static boolean isIdempotent(String method) {
    return IDEMPOTENT.contains(method);
  }

  /**
   * How long to rest before the next try; empty if there is none.
   *
   * @param tries made so far
   * @param repeatable nothing was sent, or sending it again is harmless and possible
   */
  public Optional<Duration> pause(
      int tries, boolean repeatable, Duration left, RandomGenerator random) {
    if (!repeatable || tries > retries) {
      return Optional.empty();
    }
    Duration pause = PAUSE.delay(tries - 1, random);
    return pause.compareTo(left) < 0 ? Optional.of(pause) : Optional.empty();
  }
}
