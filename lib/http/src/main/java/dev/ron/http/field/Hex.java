package dev.ron.http.field;

/**
 * Two hex digits as an octet, or -1. Not {@code HexFormat}: that throws, and which case is allowed
 * differs from field to field.
 *
 * <p>Threading: stateless.
 */
final class Hex {
  private Hex() {}

  static int either(char high, char low) {
    return join(digit(high), digit(low));
  }

  /** Lower case only, where a second spelling of the same octet is an error. */
  static int lower(char high, char low) {
    return isUpper(high) || isUpper(low) ? -1 : either(high, low);
  }

  static boolean isLower(String text) {
    return text.chars().allMatch(c -> digit((char) c) >= 0 && !isUpper((char) c));
  }

  private static int join(int high, int low) {
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static boolean isUpper(char c) {
    return c >= 'A' && c <= 'F';
  }

  /** ASCII only; {@code Character.digit} would also take the digits of other scripts. */
  private static int digit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }
}
