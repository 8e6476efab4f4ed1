package dev.ron.capability.caveat;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;

/**
 * The first bytes of an object's key, or all of them, as text with one spelling: {@code A-Z a-z 0-9
 * - . _ ~ /} stand for themselves, every other byte is an escape in capitals.
 *
 * <p>Keys of objects are bytes and not paths: {@code a//b}, {@code ../x} and {@code .} are three
 * keys like others, so nothing is resolved, and a prefix may end inside a segment. Since each byte
 * has one spelling and none is the beginning of another, one text begins with another exactly if
 * the bytes do.
 *
 * <p>Threading: immutable.
 */
public record KeyPrefix(String text) {
  /** The longest key. */
  private static final int BYTES_MAX = 1024;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** Checks that the text is the one spelling of 1 to 1024 bytes. */
  public KeyPrefix {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++, bytes++) {
      char c = text.charAt(i);
      if (c == '%') {
        if (i + 2 >= text.length() || !isEscape(text.substring(i + 1, i + 3))) {
          throw new IllegalArgumentException("an escape that is cut off, small or needless");
        }
        i += 2;
      } else if (!isPlain(c)) {
        throw new IllegalArgumentException("a character that must be an escape");
      }
    }
    if (bytes == 0 || bytes > BYTES_MAX) {
      throw new IllegalArgumentException("a key has 1 to 1024 bytes, not " + bytes);
    }
  }

  /** Of the bytes themselves. */
  public static KeyPrefix of(byte[] bytes) {
    var text = new StringBuilder(bytes.length + 16);
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      if (isPlain(c)) {
        text.append(c);
      } else {
        HEX.toHexDigits(text.append('%'), b);
      }
    }
    return new KeyPrefix(text.toString());
  }

  /** Of the UTF-8 of a text. */
  public static KeyPrefix of(String key) {
    return of(key.getBytes(UTF_8));
  }

  /** Whether the bytes of {@code key} begin with these. */
  boolean covers(KeyPrefix key) {
    return key.text.startsWith(text);
  }

  private static boolean isEscape(String hex) {
    boolean capitals = hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'));
    return capitals && !isPlain((char) HexFormat.fromHexDigits(hex));
  }

  private static boolean isPlain(char c) {
    return CaveatGrammar.alphanumeric(c) || "-._~/".indexOf(c) >= 0;
  }
}
