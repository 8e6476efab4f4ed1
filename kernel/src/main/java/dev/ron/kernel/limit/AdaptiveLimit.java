package dev.ron.kernel.limit;

import java.time.Duration;

/**
 * A concurrency limit that finds out how much the other side can take.
 *
 * <p>Served work that takes no longer than usual raises the limit by one per limit's worth of
 * answers; work that takes more than twice the best time means that a queue is growing on the other
 * side, and lowers it by a tenth; a refusal or timeout halves it. Raising slowly and lowering fast
 * is what keeps many independent callers of one server stable and fair to each other.
 *
 * <p>The best time goes stale: the other side may have become slower for good. If it drifted
 * upwards, the delay of a standing queue would count as normal, and the limit would climb without
 * end. So every five thousand answers the limit is halved, which empties the queue, and the best
 * time is measured again.
 *
 * <p>Threading: immutable; each sample gives the next limit.
 *
 * @param credit answers counted towards the next raise
 * @param samples answers since the best time was last measured
 */
record AdaptiveLimit(int min, int limit, int max, int credit, long bestNanos, int samples) {
  private static final int RELEARN_SAMPLES = 5000;

  AdaptiveLimit {
    if (min < 1 || limit < min || max < limit) {
      throw new IllegalArgumentException(
          "limit %d must be between %d and %d".formatted(limit, min, max));
    }
  }

  static AdaptiveLimit fixed(int max) {
    return between(max, max, max);
  }

  static AdaptiveLimit between(int min, int initial, int max) {
    return new AdaptiveLimit(min, initial, max, 0, Long.MAX_VALUE, 0);
  }

  AdaptiveLimit served(Duration took, int concurrency) {
    if (min == max) {
      return this;
    }
    if (samples >= RELEARN_SAMPLES) {
      return between(min, lowered(limit / 2), max);
    }
    long nanos = Math.max(1, took.toNanos());
    long best = Math.min(nanos, bestNanos);
    if (nanos / 2 > best) {
      return next(lowered(limit - Math.max(1, limit / 10)), 0, best);
    }
    // Below half of the limit the limit is not what holds work back, so it proves nothing.
    if (concurrency * 2 < limit) {
      return next(limit, credit, best);
    }
    return credit + 1 >= limit
        ? next(Math.min(max, limit + 1), 0, best)
        : next(limit, credit + 1, best);
  }

  AdaptiveLimit overloaded() {
    return next(lowered(limit / 2), 0, bestNanos);
  }

  private AdaptiveLimit next(int nextLimit, int nextCredit, long best) {
    return new AdaptiveLimit(min, nextLimit, max, nextCredit, best, samples + 1);
  }

  private int lowered(int wanted) {
    return Math.max(min, wanted);
  }
}
