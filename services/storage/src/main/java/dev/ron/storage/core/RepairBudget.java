package dev.ron.storage.core;

import java.time.Duration;

/**
 * How many bytes a second repair may move, which is less while foreground reads suffer.
 *
 * <p>What reads take when nobody disturbs them is learnt: the lowest p99 seen, forgotten slowly so
 * that a busier day becomes the new normal. A p99 of more than twice that, and of more than a time
 * that anybody would notice, halves the rate; otherwise it grows by a quarter. It never falls below
 * a sixteenth, which is why repair always ends.
 *
 * <p>Threading: immutable; each step answers the next.
 *
 * @param calmNanos the p99 of reads that are not disturbed; 0 while unknown
 */
public record RepairBudget(long fullBytesPerSecond, long bytesPerSecond, long calmNanos) {
  /** Reads within this time are nobody's trouble, whatever they took before. */
  static final Duration UNNOTICED = Duration.ofMillis(5);

  private static final int SHARE_MIN = 16;

  public RepairBudget {
    if (fullBytesPerSecond < 1 || bytesPerSecond < 1 || bytesPerSecond > fullBytesPerSecond) {
      throw new IllegalArgumentException(
          "repair at %d of %d bytes a second".formatted(bytesPerSecond, fullBytesPerSecond));
    }
  }

  public static RepairBudget full(long bytesPerSecond) {
    return new RepairBudget(bytesPerSecond, bytesPerSecond, 0);
  }

  /**
   * @param p99Nanos of the reads since the last step; 0 if there were none
   */
  public RepairBudget next(long p99Nanos) {
    if (p99Nanos == 0) {
      return new RepairBudget(fullBytesPerSecond, grown(), calmNanos);
    }
    boolean suffers = p99Nanos > UNNOTICED.toNanos() && calmNanos > 0 && p99Nanos / 2 > calmNanos;
    long calm = calmNanos == 0 ? p99Nanos : Math.min(p99Nanos, calmNanos + calmNanos / 64 + 1);
    long least = Math.max(1, fullBytesPerSecond / SHARE_MIN);
    return new RepairBudget(
        fullBytesPerSecond, suffers ? Math.max(least, bytesPerSecond / 2) : grown(), calm);
  }

  private long grown() {
    return Math.min(fullBytesPerSecond, bytesPerSecond + bytesPerSecond / 4 + 1);
  }
}
