package dev.ron.storage.core;

import java.util.ArrayDeque;

/**
 * Lets through a number of bytes in any one second, whichever second that is, and no 32nd of a
 * second more than its share, so that what it lets through comes evenly.
 *
 * <p>A bucket lets its burst and its rate through in the same second; this remembers every grant of
 * the last second instead, so that the promise is exact. What was granted before the rate fell
 * counts against the new rate.
 *
 * <p>Threading: owned by RepairThrottle, under its lock.
 */
public final class ByteWindow {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int PARTS = 32;

  private final ArrayDeque<Grant> grants = new ArrayDeque<>();
  private final ArrayDeque<Grant> recent = new ArrayDeque<>();
  private long granted;
  private long grantedLately;

  private record Grant(long atNanos, long bytes) {}

  /**
   * How long until so many bytes may move; zero if they may now, and then they are counted.
   *
   * @param rate bytes a second; fewer than {@code bytes} would never let them through
   */
  public long waitNanos(long nowNanos, long bytes, long rate) {
    forget(nowNanos);
    long lately = Math.max(bytes, rate / PARTS);
    long wait = 0;
    if (granted + bytes > rate) {
      wait = until(grants, granted + bytes - rate, nowNanos, SECOND_NANOS);
    }
    if (grantedLately + bytes > lately) {
      wait =
          Math.max(
              wait, until(recent, grantedLately + bytes - lately, nowNanos, SECOND_NANOS / PARTS));
    }
    if (wait > 0) {
      return wait;
    }
    var grant = new Grant(nowNanos, bytes);
    grants.add(grant);
    recent.add(grant);
    granted += bytes;
    grantedLately += bytes;
    return 0;
  }

  /** When grants of so many bytes will have been forgotten. */
  private static long until(ArrayDeque<Grant> from, long excess, long nowNanos, long windowNanos) {
    long left = excess;
    for (Grant grant : from) {
      left -= grant.bytes();
      if (left <= 0) {
        return Math.max(1, grant.atNanos() + windowNanos - nowNanos);
      }
    }
    return windowNanos;
  }

  private void forget(long nowNanos) {
    while (!grants.isEmpty() && grants.peek().atNanos() + SECOND_NANOS <= nowNanos) {
      granted -= grants.remove().bytes();
    }
    while (!recent.isEmpty() && recent.peek().atNanos() + SECOND_NANOS / PARTS <= nowNanos) {
      grantedLately -= recent.remove().bytes();
    }
  }
}
