package dev.ron.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The name under which one request is logged everywhere: taken from {@code X-Corr-ID}, or a new
 * UUIDv7.
 *
 * <p>Version 7 begins with the time, so ids sort by when they were made.
 *
 * <p>Threading: immutable.
 */
public final class CorrelationId {
  public static final String HEADER = "X-Corr-ID";

  /** Long enough for a UUID with a prefix, short enough for a log line. */
  public static final int CHARS_MAX = 64;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private CorrelationId() {}

  /** The caller's id if it is harmless, else a new one. */
  public static String takeOrMake(@Nullable String given, Instant wall, RandomGenerator random) {
    return given != null && isHarmless(given) ? given : make(wall, random);
  }

  /** Letters, digits, dot, dash and underscore: cannot break a log line, a header or a URL. */
  public static boolean isHarmless(String id) {
    if (id.isEmpty() || id.length() > CHARS_MAX) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_'
              || c == '.';
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  public static String make(Instant wall, RandomGenerator random) {
    long high = (wall.toEpochMilli() << 16) | 0x7000L | (random.nextLong() & 0x0fffL);
    long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    var text = new byte[36];
    hex(text, 0, high >>> 32, 8);
    text[8] = '-';
    hex(text, 9, high >>> 16, 4);
    text[13] = '-';
    hex(text, 14, high, 4);
    text[18] = '-';
    hex(text, 19, low >>> 48, 4);
    text[23] = '-';
    hex(text, 24, low, 12);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static void hex(byte[] text, int at, long bits, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
      text[at + i] = HEX[(int) (bits & 15)];
      bits >>>= 4;
    }
  }
}
