package dev.ron.client.bucket;

/**
 * How an object is cut into parts: all but the last have the same size.
 *
 * <p>Threading: immutable.
 */
public record PartPlan(long size, long partBytes) {
  /** What one request may carry. */
  static final long PUT_BYTES_MAX = 5L << 30;

  static final long OBJECT_BYTES_MAX = 5L << 40;
  static final int PARTS_MAX = 10_000;

  /** Below it a server refuses a part that is not the last. */
  public static final long PART_BYTES_MIN = 5L << 20;

  /** Few enough requests for a fast line, and little to send again on a bad one. */
  public static final long PART_BYTES = 8L << 20;

  /** Parts that lie in memory while they are sent. */
  static final long STREAM_PART_BYTES = 16L << 20;

  private static final long MIB = 1L << 20;

  /** Checks what a server would find out at the end. */
  public PartPlan {
    if (size < 0 || size > OBJECT_BYTES_MAX) {
      throw new IllegalArgumentException("an object has at most 5 TiB, not " + size + " bytes");
    }
    if (partBytes < 1) {
      throw new IllegalArgumentException("a part of " + partBytes + " bytes");
    }
  }

  /** Parts of at least the wanted size, larger where there would be too many of them. */
  static PartPlan of(long size, long wanted) {
    long least = Math.ceilDiv(Math.ceilDiv(size, PARTS_MAX), MIB) * MIB;
    return new PartPlan(size, Math.max(wanted, least));
  }

  int count() {
    return size == 0 ? 1 : Math.toIntExact(Math.ceilDiv(size, partBytes));
  }

  /** Where part {@code index} begins, from 0. */
  long start(int index) {
    return index * partBytes;
  }

  long length(int index) {
    return Math.min(partBytes, size - start(index));
  }
}
