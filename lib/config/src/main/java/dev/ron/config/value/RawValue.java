package dev.ron.config.value;

import java.util.List;
import java.util.Map;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlTable;
import org.tomlj.TomlValue;

/**
 * A value as a source gave it, before it has a type. Flags and variables are text and are read as
 * their key wants; a file has types of its own, which must fit.
 *
 * <p>Threading: immutable.
 */
public record RawValue(Object value, ValueOrigin origin) {
  /** A flag or a variable: there {@code 8} is the number and {@code true} the boolean. */
  public boolean isText() {
    return value instanceof String
        && (origin instanceof ValueOrigin.Flag
            || origin instanceof ValueOrigin.Derived
            || origin instanceof ValueOrigin.Variable);
  }

  /** A list or table given as text is TOML; then it has the types of TOML. */
  RawValue asToml() {
    return new RawValue(parseToml((String) value), new ValueOrigin.Default());
  }

  public static Object parseToml(String text) {
    try {
      return TomlValue.parse(text).get();
    } catch (TomlParseError | IllegalArgumentException e) {
      String why = Literal.printable(String.valueOf(e.getMessage()));
      throw new IllegalArgumentException("is not TOML: " + why, e);
    }
  }

  /** What kind of thing it is, for a message about a kind that does not fit. */
  public String kind() {
    return switch (value) {
      case String _ -> "text";
      case Boolean _ -> "a boolean";
      case Long _ -> "an integer";
      case Number _ -> "a decimal";
      case TomlTable _, Map<?, ?> _ -> "a table";
      case TomlArray _, List<?> _ -> "a list";
      default -> "a date or time";
    };
  }
}
