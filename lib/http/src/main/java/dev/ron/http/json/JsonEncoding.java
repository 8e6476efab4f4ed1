package dev.ron.http.json;

import java.util.Optional;

/**
 * What the bytes of a body must be before they are parsed: UTF-8, whose texts are Unicode.
 *
 * <p>Threading: stateless.
 */
final class JsonEncoding {
  private static final int ESCAPE_BYTES = 6;

  private JsonEncoding() {}

  /** Empty if they are. */
  static Optional<JsonFault> wrong(byte[] body) {
    if (!mayBeUtf8(body)) {
      return Optional.of(new JsonFault.Syntax("$", "is not UTF-8"));
    }
    return isUnicode(body)
        ? Optional.empty()
        : Optional.of(new JsonFault.Syntax("$", "has half of a surrogate pair"));
  }

  /**
   * False for UTF-16 and UTF-32, which a parser would detect by itself: JSON in UTF-8 has no zero
   * byte anywhere, and no byte order mark of theirs.
   */
  private static boolean mayBeUtf8(byte[] body) {
    for (int i = 0; i < Math.min(4, body.length); i++) {
      if (body[i] == 0 || (body[i] & 0xfe) == 0xfe) {
        return false;
      }
    }
    return true;
  }

  /**
   * False if an escape is half a surrogate pair by itself. No UTF-8 has one: wherever such a text
   * is kept, hashed or compared by its bytes, all halves are one and the same character.
   */
  private static boolean isUnicode(byte[] body) {
    for (int i = 0; i < body.length; i++) {
      if (body[i] != '\\') {
        continue;
      }
      int unit = unit(body, i);
      if (unit < 0 || !Character.isSurrogate((char) unit)) {
        i++; // what is escaped, which may be a backslash
        continue;
      }
      int next = unit(body, i + ESCAPE_BYTES);
      if (next < 0 || !Character.isSurrogatePair((char) unit, (char) next)) {
        return false;
      }
      i += 2 * ESCAPE_BYTES - 1;
    }
    return true;
  }

  /** What an escape of four digits at that place stands for; negative if there is none. */
  private static int unit(byte[] body, int at) {
    if (at + ESCAPE_BYTES > body.length || body[at] != '\\' || body[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = at + 2; i < at + ESCAPE_BYTES; i++) {
      int digit = Character.digit((char) body[i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }
}
