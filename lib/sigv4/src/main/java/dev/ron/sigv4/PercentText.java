package dev.ron.sigv4;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Percent escapes as signatures write them: letters, digits and {@code -._~} stand for themselves,
 * every other byte is an escape in capitals.
 *
 * <p>Threading: immutable.
 */
final class PercentText {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private PercentText() {}

  /** The bytes behind a text of the wire; empty if an escape is cut off or has no hex digits. */
  static Optional<byte[]> decode(String text) {
    var out = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        out.write(c);
      } else if (i + 2 < text.length()
          && HexFormat.isHexDigit(text.charAt(i + 1))
          && HexFormat.isHexDigit(text.charAt(i + 2))) {
        out.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
        i += 2;
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(out.toByteArray());
  }

  /** Writes bytes with escapes. */
  static String encode(byte[] bytes, boolean slashStays) {
    var out = new StringBuilder(bytes.length + 16);
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      if (isUnreserved(c) || (slashStays && c == '/')) {
        out.append(c);
      } else {
        HEX.toHexDigits(out.append('%'), b);
      }
    }
    return out.toString();
  }

  /** Whether the text is its own canonical form, which most are. */
  static boolean isPlain(String text, boolean slashStays) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isUnreserved(c) && !(slashStays && c == '/')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
