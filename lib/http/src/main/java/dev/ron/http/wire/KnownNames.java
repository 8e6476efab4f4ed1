package dev.ron.http.wire;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Names that most requests carry, found by their bytes, so that parsing makes no new string for
 * them.
 *
 * <p>Threading: immutable.
 */
final class KnownNames {
  private static final String[] NAMES = {
    "Host",
    "User-Agent",
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Connection",
    "Content-Length",
    "Content-Type",
    "Content-Encoding",
    "Transfer-Encoding",
    "Authorization",
    "Range",
    "If-Range",
    "If-None-Match",
    "If-Match",
    "If-Modified-Since",
    "If-Unmodified-Since",
    "Expect",
    "X-Corr-ID",
    "traceparent",
    "tracestate",
    "Request-Timeout",
    "Deadline",
    "Origin",
    "Referer",
    "Cache-Control",
    "Upgrade",
    "TE",
    "Trailer",
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "X-Forwarded-Host",
    "Idempotency-Key",
    "Cookie",
    "Date",
    "Pragma"
  };
  private static final String[] METHODS = {
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"
  };

  /** Four times the number of names keeps most slots without a second probe. */
  private static final int SLOTS = 256;

  private static final String[] TABLE = new String[SLOTS];
  private static final byte[][] LOWER = new byte[SLOTS][];

  static {
    for (String name : NAMES) {
      byte[] lower = name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
      int slot = slot(hash(lower, 0, lower.length));
      while (TABLE[slot] != null) {
        slot = (slot + 1) & (SLOTS - 1);
      }
      TABLE[slot] = name;
      LOWER[slot] = lower;
    }
  }

  private KnownNames() {}

  /** The usual spelling of a name, or a new string with the sender's. */
  static String name(byte[] bytes, int from, int to) {
    int slot = slot(hash(bytes, from, to));
    while (TABLE[slot] != null) {
      if (matches(LOWER[slot], bytes, from, to)) {
        return TABLE[slot];
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  static String method(byte[] bytes, int from, int to) {
    for (String method : METHODS) {
      if (same(method, bytes, from, to)) {
        return method;
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static boolean same(String text, byte[] bytes, int from, int to) {
    if (text.length() != to - from) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != bytes[from + i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(byte[] lower, byte[] bytes, int from, int to) {
    if (lower.length != to - from) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      byte b = bytes[from + i];
      int folded = b >= 'A' && b <= 'Z' ? b | 0x20 : b;
      if (folded != lower[i]) {
        return false;
      }
    }
    return true;
  }

  private static int hash(byte[] bytes, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + (bytes[i] | 0x20);
    }
    return hash;
  }

  private static int slot(int hash) {
    return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SLOTS - 1);
  }
}
