package dev.ron.kernel.limit;

import java.time.Duration;

/**
 * A concurrency limit that finds out how much the other side can take.
 *
 * <p>Served work that takes no longer than usual raises the limit by one per limit's worth of
 * answers; work that takes more than twice as long as the best recent time means a queue is growing
 * over there, and lowers it by a tenth; a refusal or timeout halves it. Raising slowly and lowering
 * fast is what keeps many independent callers of one server stable and fair to each other.
 *
 * <p>Threading: immutable; each sample gives the next limit.
 *
 * @param credit answers counted towards the next raise
 * @param bestNanos the shortest time seen, which drifts up slowly so that an old best is forgotten
 */
record AdaptiveLimit(int min, int limit, int max, int credit, long bestNanos) {
  /** One part in 64 of the difference per sample: a best time is forgotten in a few hundred. */
  private static final int DRIFT_SHIFT = 6;

  AdaptiveLimit {
    if (min < 1 || limit < min || max < limit) {
      throw new IllegalArgumentException(
          "limit %d must be between %d and %d".formatted(limit, min, max));
    }
  }

  static AdaptiveLimit fixed(int max) {
    return new AdaptiveLimit(max, max, max, 0, Long.MAX_VALUE);
  }

  static AdaptiveLimit between(int min, int initial, int max) {
    return new AdaptiveLimit(min, initial, max, 0, Long.MAX_VALUE);
  }

  AdaptiveLimit served(Duration took, int concurrency) {
    if (min == max) {
      return this;
    }
    long nanos = Math.max(1, took.toNanos());
    long best = nanos < bestNanos ? nanos : bestNanos + ((nanos - bestNanos) >> DRIFT_SHIFT);
    if (nanos / 2 > best) {
      return new AdaptiveLimit(min, lowered(limit - Math.max(1, limit / 10)), max, 0, best);
    }
    // Below half of the limit the limit is not what holds work back, so it proves nothing.
    if (concurrency * 2 < limit) {
      return new AdaptiveLimit(min, limit, max, credit, best);
    }
    return credit + 1 >= limit
        ? new AdaptiveLimit(min, Math.min(max, limit + 1), max, 0, best)
        : new AdaptiveLimit(min, limit, max, credit + 1, best);
  }

  AdaptiveLimit overloaded() {
    return new AdaptiveLimit(min, lowered(limit / 2), max, 0, bestNanos);
  }

  private int lowered(int wanted) {
    return Math.max(min, wanted);
  }
}
