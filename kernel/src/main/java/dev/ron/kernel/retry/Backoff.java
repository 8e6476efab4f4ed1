package dev.ron.kernel.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before try n + 1, with n counted from 0.
 *
 * <p>All three grow by doubling to a cap; they differ in what is random. Jitter is there so that
 * callers that failed together do not come back together.
 */
public sealed interface Backoff {
  Duration delay(int n, RandomGenerator random);

  /** {@code min(max, base * 2^n) + U[0, base]}: the edge's, for filling from an upstream. */
  record Added(Duration base, Duration max, boolean jitter) implements Backoff {
    public Added {
      checked(base, max);
    }

    @Override
    public Duration delay(int n, RandomGenerator random) {
      Duration doubled = doubled(base, n, max);
      return jitter ? doubled.plus(uniform(base, random)) : doubled;
    }
  }

  /** {@code U[0, min(max, base * 2^n)]}: the mailbox's, for messages that come back. */
  record FullJitter(Duration base, Duration max) implements Backoff {
    public FullJitter {
      checked(base, max);
    }

    @Override
    public Duration delay(int n, RandomGenerator random) {
      return uniform(doubled(base, n, max), random);
    }
  }

  /** {@code min(cap, U[least, most] * 2^n)}: for calls between services, and for restarts. */
  record Scaled(Duration least, Duration most, Duration cap) implements Backoff {
    public Scaled {
      checked(least, most);
      checked(most, cap);
    }

    @Override
    public Duration delay(int n, RandomGenerator random) {
      return doubled(least.plus(uniform(most.minus(least), random)), n, cap);
    }
  }

  /** Between services: 50 to 100 ms first, never more than 2 s. */
  static Backoff rpc() {
    return new Scaled(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofSeconds(2));
  }

  private static Duration doubled(Duration base, int n, Duration max) {
    // 2^30 times a millisecond is past every cap; a larger shift would only overflow.
    long factor = 1L << Math.min(n, 30);
    return base.compareTo(max.dividedBy(factor)) > 0 ? max : base.multipliedBy(factor);
  }

  /** Uniform over whole nanoseconds, both ends included. */
  private static Duration uniform(Duration most, RandomGenerator random) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  private static void checked(Duration less, Duration more) {
    if (less.isNegative() || less.isZero() || more.compareTo(less) < 0) {
      throw new IllegalArgumentException("backoff from " + less + " to " + more);
    }
  }
}
