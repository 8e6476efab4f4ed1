package dev.ron.gateway.core;

import java.time.Instant;

/**
 * How many requests one upstream gets at a time: raised while it serves, lowered when the evidence
 * is against it.
 *
 * <p>It listens to refusals and failures and not to latency. Behind one upstream a cheap read and a
 * long poll differ by orders of magnitude, and a limit that takes the slow one for a growing queue
 * would end at one request at a time.
 *
 * <p>Failures lower it once: what was sent before the limit fell says nothing about the new one. It
 * never falls below a sixteenth, so that a few slow answers cannot hold all that is left, and below
 * a half only when several witnesses failed: one client alone must leave the others enough.
 *
 * <p>Threading: immutable; each outcome gives the next limit.
 *
 * @param credit served requests that count towards the next raise
 * @param lowered when it fell last
 */
public record UpstreamLimit(int limit, int max, int credit, Instant lowered) {
  private static final int FLOOR_MIN = 4;
  private static final int FLOOR_SHARE = 16;
  private static final int FLOOR_SHARE_ALONE = 2;

  /** Of the limit; from the floor to the maximum it takes some fourteen rounds. */
  private static final int RAISE_SHARE = 4;

  private static final int REFUSED_SHARE = 8;

  public UpstreamLimit {
    if (limit < 1 || limit > max) {
      throw new IllegalArgumentException("limit %d must be 1 to %d".formatted(limit, max));
    }
  }

  public static UpstreamLimit of(int max) {
    return new UpstreamLimit(max, max, 0, Instant.MIN);
  }

  /** A quarter more for each limit's worth of answers. */
  public UpstreamLimit served() {
    if (limit == max) {
      return this;
    }
    return credit + 1 >= limit
        ? new UpstreamLimit(
            Math.min(max, limit + Math.max(1, limit / RAISE_SHARE)), max, 0, lowered)
        : new UpstreamLimit(limit, max, credit + 1, lowered);
  }

  /**
   * Half, because it gave no answers.
   *
   * @param alone all that failed was one witness's
   * @param begun when the request that failed last was sent
   */
  public UpstreamLimit failed(boolean alone, Instant begun, Instant now) {
    return lowered(limit - limit / 2, alone, begun, now);
  }

  /** An eighth less, because it said itself that it has too much to do. */
  public UpstreamLimit refused(boolean alone, Instant begun, Instant now) {
    return lowered(limit - Math.max(1, limit / REFUSED_SHARE), alone, begun, now);
  }

  private UpstreamLimit lowered(int wanted, boolean alone, Instant begun, Instant now) {
    int next = Math.max(floor(alone ? FLOOR_SHARE_ALONE : FLOOR_SHARE), wanted);
    return begun.isBefore(lowered) || next >= limit ? this : new UpstreamLimit(next, max, 0, now);
  }

  private int floor(int share) {
    return Math.min(max, Math.max(FLOOR_MIN, max / share));
  }

  /** The same with another ceiling, after a reload. */
  public UpstreamLimit within(int newMax) {
    return newMax == max ? this : of(newMax);
  }
}
