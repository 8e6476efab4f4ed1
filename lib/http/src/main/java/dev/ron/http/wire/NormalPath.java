package dev.ron.http.wire;

import dev.ron.http.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The one spelling of a path that is matched, logged and forwarded.
 *
 * <p>Escapes of letters, digits and {@code -._~} are undone, other escapes get upper-case digits,
 * dot segments are resolved. An escaped slash stays escaped, because it is not a separator; an
 * escaped control character, a path that climbs above the root, and escapes that are not UTF-8 are
 * refused: some servers read a dot into {@code %C0%AE}.
 *
 * <p>Threading: immutable.
 */
public final class NormalPath {
  private static final String PLAIN_MARKS = "-._~";
  private static final String PATH_MARKS = "!$&'()*+,;=:@/";
  private static final boolean[] AS_IS = new boolean[128];
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  static {
    for (char c = 0; c < 128; c++) {
      AS_IS[c] = isUnreserved(c) || PATH_MARKS.indexOf(c) >= 0;
    }
  }

  private NormalPath() {}

  /** The path in its one spelling; must begin with a slash. */
  public static String of(String path) throws Refusal {
    boolean plain = true;
    for (int i = 0; i < path.length() && plain; i++) {
      char c = path.charAt(i);
      // a dot segment can only begin after a slash
      plain = c < 128 && AS_IS[c] && !(c == '.' && i > 0 && path.charAt(i - 1) == '/');
    }
    return plain ? path : withoutDots(withFewestEscapes(path));
  }

  /**
   * Refuses a path that other servers read otherwise than this one: with an escaped separator, an
   * empty segment, a semicolon. A proxy that passes paths on asks this, because what was checked
   * here must be what is opened there.
   */
  public static void requireOneReading(String path) throws Refusal {
    Optional<String> ambiguity =
        path.equals("*") ? Optional.empty() : dev.ron.capability.caveat.CaveatPath.ambiguity(path);
    if (ambiguity.isPresent()) {
      throw Refusal.malformed("the path has more than one reading: " + ambiguity.get());
    }
  }

  /** The bytes behind the escapes, as text; only for values that leave the path. */
  public static String unescaped(String text) throws Refusal {
    if (text.indexOf('%') < 0) {
      return text;
    }
    var bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes.write(escape(text, i));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException notText) {
      throw Refusal.malformed("the escapes are not UTF-8");
    }
  }

  private static String withFewestEscapes(String path) throws Refusal {
    var out = new StringBuilder(path.length());
    boolean beyondAscii = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%') {
        int value = escape(path, i);
        i += 2;
        beyondAscii |= value >= 0x80;
        if (value < 0x20 || value == 0x7f) {
          throw Refusal.malformed("an escaped control character in the path");
        }
        if (isUnreserved((char) value)) {
          out.append((char) value);
        } else {
          out.append('%').append(HEX[value >> 4]).append(HEX[value & 15]);
        }
      } else if (c < 128 && AS_IS[c]) {
        out.append(c);
      } else {
        throw Refusal.malformed("a character in the path that must be escaped");
      }
    }
    String normal = out.toString();
    if (beyondAscii) {
      unescaped(normal); // refuses what is overlong, a surrogate, too large or cut short
    }
    return normal;
  }

  private static String withoutDots(String path) throws Refusal {
    if (!path.contains("/.")) {
      return path;
    }
    var out = new StringBuilder(path.length());
    int from = 0;
    while (from < path.length()) {
      int slash = path.indexOf('/', from + 1);
      int to = slash < 0 ? path.length() : slash;
      String segment = path.substring(from, to); // with its leading slash
      boolean last = slash < 0;
      if (segment.equals("/..")) {
        int parent = out.lastIndexOf("/");
        if (parent < 0) {
          throw Refusal.malformed("the path climbs above its root");
        }
        out.setLength(parent);
      }
      if (!segment.equals("/..") && !segment.equals("/.")) {
        out.append(segment);
      } else if (last) {
        out.append('/');
      }
      from = to;
    }
    return out.toString();
  }

  private static int escape(String text, int at) throws Refusal {
    int high = at + 2 < text.length() ? digit(text.charAt(at + 1)) : -1;
    int low = at + 2 < text.length() ? digit(text.charAt(at + 2)) : -1;
    if (high < 0 || low < 0) {
      throw Refusal.malformed("a percent sign without two hex digits");
    }
    return high << 4 | low;
  }

  private static int digit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || PLAIN_MARKS.indexOf(c) >= 0;
  }
}
