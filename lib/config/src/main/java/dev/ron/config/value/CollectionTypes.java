package dev.ron.config.value;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * The types that hold several values, lists and tables, and paths, which often come in lists.
 *
 * <p>A flag or a variable gives them as TOML ({@code ["a", "b"]}, {@code { acme = 3 }}) or, where
 * no item holds a comma, plainly: {@code a,b} and {@code acme=3,other=1}.
 */
public final class CollectionTypes {
  /** Relative paths are relative to the directory the process was started in. */
  public static final ValueType<Path> PATH =
      new ValueType<>(
          "path from the working directory", CollectionTypes::path, Path::toString, null, null);

  private CollectionTypes() {}

  public static <T> ValueType<List<T>> list(ValueType<T> of) {
    return new ValueType<>(
        "list of " + of.name(),
        raw -> items(raw).stream().map(item -> part(of, item, raw, "item")).toList(),
        list -> list.stream().map(of.plain()).toList(),
        null,
        null);
  }

  public static <T> ValueType<Map<String, T>> table(ValueType<T> of) {
    return new ValueType<>(
        "table of " + of.name(),
        raw -> {
          var table = new LinkedHashMap<String, T>();
          fields(raw).forEach((key, value) -> table.put(key, part(of, value, raw, key)));
          return Collections.unmodifiableMap(table);
        },
        map -> {
          var plain = new LinkedHashMap<String, Object>();
          map.forEach((key, value) -> plain.put(key, of.plain().apply(value)));
          return plain;
        },
        null,
        null);
  }

  private static <T> T part(ValueType<T> of, Object value, RawValue whole, String name) {
    boolean isLoose = whole.isText() && !isToml((String) whole.value());
    RawValue part = new RawValue(value, isLoose ? whole.origin() : new ValueOrigin.Default());
    try {
      return of.read().apply(part);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          Literal.printable(name) + " " + Literal.shown(value) + " " + e.getMessage(), e);
    }
  }

  private static List<?> items(RawValue raw) {
    return switch (raw.value()) {
      case TomlArray array -> array.toList();
      case List<?> list -> list;
      case String text when raw.isText() && isToml(text) -> items(raw.asToml());
      case String text when raw.isText() -> split(text);
      default -> throw new IllegalArgumentException("must be a list, as in [\"a\", \"b\"]");
    };
  }

  private static Map<String, Object> fields(RawValue raw) {
    return switch (raw.value()) {
      case TomlTable table -> table.toMap();
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, Object>();
        map.forEach((key, value) -> fields.put((String) key, value));
        yield fields;
      }
      case String text when raw.isText() && isToml(text) -> fields(raw.asToml());
      case String text when raw.isText() -> splitFields(text);
      default -> throw new IllegalArgumentException("must be a table, as in { a = ... }");
    };
  }

  private static boolean isToml(String text) {
    return text.startsWith("[") || text.startsWith("{");
  }

  private static List<String> split(String text) {
    return text.isEmpty() ? List.of() : Stream.of(text.split(",", -1)).map(String::strip).toList();
  }

  private static Map<String, Object> splitFields(String text) {
    var fields = new LinkedHashMap<String, Object>();
    for (String field : split(text)) {
      int equals = field.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("must be a table, as in a=1,b=2 or { a = 1, b = 2 }");
      }
      String key = field.substring(0, equals).strip();
      if (fields.put(key, field.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException("names " + Literal.key(key) + " twice");
      }
    }
    return fields;
  }

  private static Path path(RawValue raw) {
    String text = ValueType.text(raw);
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must not be empty");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("is not a path: " + e.getReason(), e);
    }
  }
}
