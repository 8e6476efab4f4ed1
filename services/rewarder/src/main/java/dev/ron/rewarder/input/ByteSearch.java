package dev.ron.rewarder.input;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looking for bytes, eight at a time.
 *
 * <p>Threading: stateless.
 */
final class ByteSearch {
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final long COMMAS = ',' * ONES;
  private static final long QUOTES = '"' * ONES;
  private static final long SPACES = ' ' * ONES;
  private static final long RUBOUTS = 0x7f * ONES;
  private static final long ZEROS = '0' * ONES;

  /** Takes a byte past 9 over its high bit. */
  private static final long ABOVE_NINE = (0x80 - 10) * ONES;

  private static final long[] POWERS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ByteSearch() {}

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

  /**
   * Where plain text ends: at a comma, a quote, a control character or a byte beyond ASCII; {@code
   * to} if the last bytes before it are too few to be looked at together.
   */
  static int plainEnd(byte[] buffer, int from, int to) {
    for (int at = from; at + Long.BYTES <= to; at += Long.BYTES) {
      long word = (long) LONGS.get(buffer, at);
      long comma = word ^ COMMAS;
      long quote = word ^ QUOTES;
      long rubout = word ^ RUBOUTS;
      // Each of these may be wrong above its first hit, so the lowest of all is never false.
      long hit =
          (((comma - ONES) & ~comma)
                  | ((quote - ONES) & ~quote)
                  | ((rubout - ONES) & ~rubout)
                  | ((word - SPACES) & ~word)
                  | word)
              & HIGHS;
      if (hit != 0) {
        return at + (Long.numberOfTrailingZeros(hit) >>> 3);
      }
    }
    return to;
  }

  /** Where at most fifteen digits end; {@code to} if there are more, or too few bytes behind. */
  static int digitsEnd(byte[] buffer, int from, int to) {
    for (int at = from; at + Long.BYTES <= to && at <= from + Long.BYTES; at += Long.BYTES) {
      long digits = (long) LONGS.get(buffer, at) ^ ZEROS;
      long other = ((digits + ABOVE_NINE) | digits) & HIGHS;
      if (other != 0) {
        return at + (Long.numberOfTrailingZeros(other) >>> 3);
      }
    }
    return to;
  }

  /** The value of one to fifteen digits, as {@link #digitsEnd} has found them. */
  static long number(byte[] buffer, int from, int digits) {
    if (digits <= Long.BYTES) {
      return eight(buffer, from, digits);
    }
    int rest = digits - Long.BYTES;
    return eight(buffer, from, Long.BYTES) * POWERS[rest] + eight(buffer, from + Long.BYTES, rest);
  }

  /** Pairs, then fours, then eight at a time; what is missing in front counts as zero. */
  private static long eight(byte[] buffer, int from, int digits) {
    long value = ((long) LONGS.get(buffer, from) ^ ZEROS) << (Long.SIZE - Byte.SIZE * digits);
    value = value * 10 + (value >>> 8);
    value = (value & 0x00ff_00ff_00ff_00ffL) * 100 + ((value >>> 16) & 0x00ff_00ff_00ff_00ffL);
    return ((value & 0xffff) * 10_000) + ((value >>> 32) & 0xffff);
  }
}
