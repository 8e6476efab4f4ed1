package dev.ron.http;

/**
 * Which bytes may stand in a field name and in a field value, after RFC 9110.
 *
 * <p>Threading: immutable.
 */
public final class FieldText {
  private static final boolean[] TOKEN = new boolean[128];
  private static final boolean[] VALUE = new boolean[256];

  static {
    for (char c = 'a'; c <= 'z'; c++) {
      TOKEN[c] = true;
      TOKEN[c - 32] = true;
    }
    for (char c = '0'; c <= '9'; c++) {
      TOKEN[c] = true;
    }
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
      TOKEN[c] = true;
    }
    for (int c = 0; c < 256; c++) {
      VALUE[c] = c == '\t' || (c >= 0x20 && c != 0x7f);
    }
  }

  private FieldText() {}

  public static boolean isTokenByte(int c) {
    return c >= 0 && c < 128 && TOKEN[c];
  }

  /** Visible, space, tab, or the upper half that old clients send as Latin-1. */
  public static boolean isValueByte(int c) {
    return VALUE[c & 0xff];
  }

  public static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isTokenByte(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  public static boolean isValue(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > 0xff || !VALUE[c]) {
        return false;
      }
    }
    return true;
  }
}
