package dev.ron.rewarder.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looking for bytes, eight at a time.
 *
 * <p>Threading: stateless.
 */
final class Bytes {
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  /** Where {@code wanted} is first, or {@code to}. */
  static int indexOf(byte[] buffer, int from, int to, byte wanted) {
    long pattern = (wanted & 0xffL) * ONES;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      // A byte of the difference is zero where the wanted one is; the lowest hit is never false.
      long difference = (long) LONGS.get(buffer, at) ^ pattern;
      long hit = (difference - ONES) & ~difference & HIGHS;
      if (hit != 0) {
        return at + (Long.numberOfTrailingZeros(hit) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (buffer[at] == wanted) {
        return at;
      }
    }
    return to;
  }

  static int lastIndexOf(byte[] buffer, int from, int to, byte wanted) {
    int at = to - 1;
    while (at >= from && buffer[at] != wanted) {
      at--;
    }
    return at;
  }

  static int count(byte[] buffer, int from, int to, byte wanted) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += buffer[i] == wanted ? 1 : 0;
    }
    return count;
  }
}
