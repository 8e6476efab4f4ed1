package dev.ron.config.value;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * Plain values as TOML and as JSON, and the one place where text is escaped for either.
 *
 * <p>A plain value is a string, a boolean, a number, a list or a map of them. What an operator
 * typed is shown again in messages, so control and direction characters are escaped too: a value
 * must not be able to overwrite the message about it on a terminal.
 */
public final class Literal {
  private static final Pattern BARE_KEY = Pattern.compile("[A-Za-z0-9_-]+");
  private static final int SHOWN_CHARACTERS_MAX = 120;

  private Literal() {}

  public static String toml(Object plain) {
    return switch (plain) {
      case String text -> quoted(text);
      case List<?> list ->
          list.stream().map(Literal::toml).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map when map.isEmpty() -> "{}";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(e -> key(String.valueOf(e.getKey())) + " = " + toml(e.getValue()))
              .collect(Collectors.joining(", ", "{ ", " }"));
      case BigDecimal number -> number.toPlainString();
      case TomlArray array -> toml(array.toList());
      case TomlTable table -> toml(table.toMap());
      default -> plain.toString();
    };
  }

  public static String json(Object plain) {
    return switch (plain) {
      case List<?> list ->
          list.stream().map(Literal::json).collect(Collectors.joining(",", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(e -> jsonQuoted(String.valueOf(e.getKey())) + ":" + json(e.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case BigDecimal number -> number.toPlainString();
      case Boolean _, Number _ -> plain.toString();
      default -> jsonQuoted(plain.toString());
    };
  }

  /** The value as a message shows it: TOML, cut where a value is too long for a message. */
  public static String shown(Object plain) {
    String text = toml(plain);
    if (text.length() <= SHOWN_CHARACTERS_MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(SHOWN_CHARACTERS_MAX - 1)) ? 1 : 0;
    return text.substring(0, SHOWN_CHARACTERS_MAX - end) + "… (" + text.length() + " characters)";
  }

  /** A key as TOML writes it: bare where that is possible. */
  public static String key(String name) {
    return BARE_KEY.matcher(name).matches() ? name : quoted(name);
  }

  /** A TOML string in double quotes. */
  public static String quoted(String text) {
    return '"' + escaped(text, Form.TOML) + '"';
  }

  /** A JSON string in double quotes. */
  static String jsonQuoted(String text) {
    return '"' + escaped(text, Form.JSON) + '"';
  }

  /** Text without quotes around it, safe to print. */
  public static String printable(String text) {
    return escaped(text, Form.BARE);
  }

  /** What the text is escaped for; they differ in quotes and beyond the 16-bit characters. */
  private enum Form {
    TOML,
    JSON,
    BARE
  }

  private static String escaped(String text, Form form) {
    var out = new StringBuilder(text.length() + 2);
    text.codePoints().forEach(c -> append(out, c, form));
    return out.toString();
  }

  private static void append(StringBuilder out, int c, Form form) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '"', '\\' -> out.append(form == Form.BARE ? "" : "\\").append((char) c);
      default -> {
        if (isPrintable(c)) {
          out.appendCodePoint(c);
        } else if (form == Form.JSON || Character.isBmpCodePoint(c)) {
          for (char unit : Character.toChars(c)) {
            out.append("\\u%04x".formatted((int) unit));
          }
        } else {
          out.append("\\U%08x".formatted(c));
        }
      }
    }
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> true;
    };
  }
}
