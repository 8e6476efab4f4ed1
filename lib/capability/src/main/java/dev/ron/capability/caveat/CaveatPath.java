package dev.ron.capability.caveat;

import java.util.Optional;

/**
 * Whether a path or topic can mean only one thing, so that the prefix checked here is the prefix of
 * what will be opened.
 *
 * <p>A path starts with {@code /} and is given as on the wire, percent-encoded and already
 * normalised; its segments end at {@code /}. Anything else is a topic; its segments end at {@code
 * /} and {@code .}. Refused, because two readers could differ on them: empty segments other than
 * after a final separator, the segments {@code .} and {@code ..}, characters outside RFC 3986's
 * {@code pchar}, {@code ;} (some servers cut a segment there), and percent-encodings that are not
 * uppercase hex or stand for a character that needs none, a separator, a percent sign or a control
 * character.
 *
 * <p>Threading: immutable.
 */
public final class CaveatPath {
  /** A key of 1024 bytes, percent-encoded, and some room for a bucket and a face. */
  static final int CHARS_MAX = 4096;

  private static final String UNRESERVED_MARKS = "-._~";
  private static final String OTHER_PCHARS = "!$&'()*+,=:@";

  private CaveatPath() {}

  /** What is ambiguous about {@code path}; empty if nothing is. */
  public static Optional<String> ambiguity(String path) {
    if (path.isEmpty() || path.length() > CHARS_MAX) {
      return Optional.of("it is empty or longer than " + CHARS_MAX + " characters");
    }
    boolean topic = isTopic(path);
    int segmentStart = topic ? 0 : 1;
    for (int i = segmentStart; i < path.length(); i++) {
      char c = path.charAt(i);
      if (isSeparator(c, topic)) {
        if (isHollow(path, segmentStart, i)) {
          return Optional.of("it has an empty or dot segment");
        }
        segmentStart = i + 1;
      } else if (c == '%') {
        if (!isPlainEncoding(path, i)) {
          return Optional.of(
              "it has %s, which encodes a separator, a percent sign or a character that needs none"
                  .formatted(path.substring(i, Math.min(i + 3, path.length()))));
        }
        i += 2;
      } else if (!isPlain(c)) {
        return Optional.of("it has a character that must be percent-encoded: " + c);
      }
    }
    boolean endsHollow =
        segmentStart < path.length() && isHollow(path, segmentStart, path.length());
    return endsHollow ? Optional.of("it has an empty or dot segment") : Optional.empty();
  }

  static boolean isTopic(String path) {
    return path.charAt(0) != '/';
  }

  static boolean isSeparator(char c, boolean topic) {
    return c == '/' || (topic && c == '.');
  }

  private static boolean isHollow(String path, int start, int end) {
    int length = end - start;
    return length == 0
        || (length == 1 && path.charAt(start) == '.')
        || (length == 2 && path.startsWith("..", start));
  }

  private static boolean isPlain(char c) {
    return isUnreserved(c) || OTHER_PCHARS.indexOf(c) >= 0;
  }

  private static boolean isUnreserved(char c) {
    return CaveatGrammar.alphanumeric(c) || UNRESERVED_MARKS.indexOf(c) >= 0;
  }

  private static boolean isPlainEncoding(String path, int percent) {
    if (percent + 2 >= path.length()) {
      return false;
    }
    int high = upperHexDigit(path.charAt(percent + 1));
    int low = upperHexDigit(path.charAt(percent + 2));
    char octet = (char) (high << 4 | low);
    return high >= 0
        && low >= 0
        && octet >= ' '
        && octet != 0x7f
        && !isUnreserved(octet)
        && "/\\%".indexOf(octet) < 0;
  }

  private static int upperHexDigit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  }
}
