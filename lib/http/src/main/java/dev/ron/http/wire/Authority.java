package dev.ron.http.wire;

import dev.ron.http.Refusal;

/**
 * Host and port as they may stand in {@code Host}, {@code :authority} and absolute targets.
 *
 * <p>User names, empty hosts and ports out of range are refused: every program on the way must
 * agree on the host a request is for.
 *
 * <p>Threading: immutable.
 */
public final class Authority {
  private Authority() {}

  public static String checked(String text) throws Refusal {
    int end = text.startsWith("[") ? bracketed(text) : named(text);
    if (end < 0 || !portFits(text, end)) {
      throw Refusal.malformed("the host is not a host with an optional port");
    }
    return text;
  }

  /** The host without its port. */
  public static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon < 0 || authority.endsWith("]") ? authority : authority.substring(0, colon);
  }

  /** The end of a registered name or an IPv4 address, or -1. */
  private static int named(String text) {
    int i = 0;
    while (i < text.length() && text.charAt(i) != ':') {
      char c = text.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '.'
              || c == '_';
      if (!plain) {
        return -1;
      }
      i++;
    }
    return i == 0 ? -1 : i;
  }

  /** The end of an IPv6 address in brackets, or -1. */
  private static int bracketed(String text) {
    int end = text.indexOf(']');
    if (end < 3) {
      return -1;
    }
    for (int i = 1; i < end; i++) {
      char c = text.charAt(i);
      if (c > 127 || (Character.digit(c, 16) < 0 && c != ':' && c != '.')) {
        return -1;
      }
    }
    return end + 1;
  }

  private static boolean portFits(String text, int from) {
    if (from == text.length()) {
      return true;
    }
    int digits = text.length() - from - 1;
    if (text.charAt(from) != ':' || digits < 1 || digits > 5) {
      return false;
    }
    int port = 0;
    for (int i = from + 1; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      port = port * 10 + digit;
    }
    return port <= 65535;
  }
}
