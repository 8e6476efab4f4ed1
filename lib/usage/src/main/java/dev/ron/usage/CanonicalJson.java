package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON with one spelling for each value (RFC 8785), for hashing and signing.
 *
 * <p>Numbers are whole and of at most 53 bits, which is where that RFC has one spelling for all
 * readers; the code that makes the value writes larger ones as text.
 *
 * <p>Threading: stateless.
 */
public final class CanonicalJson {
  private static final long SAFE = 1L << 53;

  private CanonicalJson() {}

  /** Maps with text as keys, lists, text, whole numbers, booleans and null. */
  public static byte[] bytes(@Nullable Object value) {
    return text(value).getBytes(UTF_8);
  }

  public static String text(@Nullable Object value) {
    var out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(@Nullable Object value, StringBuilder out) {
    switch (value) {
      case null -> out.append("null");
      case Boolean truth -> out.append(truth);
      case String text -> write(text, out);
      case Integer number -> out.append(number);
      case Long number -> {
        if (number > SAFE || number < -SAFE) {
          throw new IllegalArgumentException("a number past 2^53 has no one spelling: " + number);
        }
        out.append(number);
      }
      case Map<?, ?> map -> write(map, out);
      case List<?> list -> write(list, out);
      default -> throw new IllegalArgumentException("not JSON: " + value.getClass());
    }
  }

  /** In the order of the keys' UTF-16 units, which is Java's own. */
  private static void write(Map<?, ?> map, StringBuilder out) {
    var sorted = new TreeMap<String, @Nullable Object>();
    map.forEach((key, value) -> sorted.put((String) key, value));
    out.append('{');
    String comma = "";
    for (Map.Entry<String, @Nullable Object> each : sorted.entrySet()) {
      out.append(comma);
      write(each.getKey(), out);
      out.append(':');
      write(each.getValue(), out);
      comma = ",";
    }
    out.append('}');
  }

  private static void write(List<?> list, StringBuilder out) {
    out.append('[');
    String comma = "";
    for (Object each : list) {
      out.append(comma);
      write(each, out);
      comma = ",";
    }
    out.append(']');
  }

  private static void write(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\f' -> out.append("\\f");
        case '\r' -> out.append("\\r");
        default -> plain(text, i, c, out);
      }
    }
    out.append('"');
  }

  private static void plain(String text, int at, char c, StringBuilder out) {
    if (c < ' ') {
      out.append("\\u00").append(c < 16 ? '0' : '1').append("0123456789abcdef".charAt(c & 15));
      return;
    }
    boolean paired =
        Character.isHighSurrogate(c)
            ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
            : !Character.isLowSurrogate(c)
                || (at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
    if (!paired) {
      throw new IllegalArgumentException("half a character has no UTF-8");
    }
    out.append(c);
  }
}
