package dev.ron.gateway.core;

import java.time.Instant;

/**
 * How many requests one upstream gets at a time: raised while it serves, halved when it fails.
 *
 * <p>It listens to refusals and failures and not to latency. Behind one upstream a cheap read and a
 * long poll differ by orders of magnitude, and a limit that takes the slow one for a growing queue
 * would end at one request at a time.
 *
 * <p>A failure lowers it once: what was sent before the limit fell says nothing about the new one.
 *
 * <p>Threading: immutable; each outcome gives the next limit.
 *
 * @param credit served requests that count towards the next raise
 * @param lowered when it fell last
 */
public record UpstreamLimit(int limit, int max, int credit, Instant lowered) {
  public UpstreamLimit {
    if (limit < 1 || limit > max) {
      throw new IllegalArgumentException("limit %d must be 1 to %d".formatted(limit, max));
    }
  }

  public static UpstreamLimit of(int max) {
    return new UpstreamLimit(max, max, 0, Instant.MIN);
  }

  public UpstreamLimit served() {
    if (limit == max) {
      return this;
    }
    return credit + 1 >= limit
        ? new UpstreamLimit(limit + 1, max, 0, lowered)
        : new UpstreamLimit(limit, max, credit + 1, lowered);
  }

  /**
   * @param begun when the request that failed was sent
   */
  public UpstreamLimit failed(Instant begun, Instant now) {
    return begun.isBefore(lowered) || limit == 1
        ? this
        : new UpstreamLimit(Math.max(1, limit / 2), max, 0, now);
  }

  /** The same with another ceiling, after a reload. */
  public UpstreamLimit within(int newMax) {
    return newMax == max ? this : of(newMax);
  }
}
