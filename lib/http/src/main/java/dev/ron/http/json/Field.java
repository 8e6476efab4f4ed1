package dev.ron.http.json;

import dev.ron.http.Refusal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One field of a {@link Form}: its name, what it may be, and how OpenAPI shows it.
 *
 * <p>Threading: immutable.
 *
 * @param required must be there; others are {@linkplain #optional left out} or {@linkplain
 *     #nullable null}
 */
public record Field(String name, Schema schema, Check check, boolean required, boolean takesNull) {
  /** Turns a value of the tree into the field's own, or says what it must be. */
  @FunctionalInterface
  interface Check {
    Object value(Object raw, String place, FormFaults words) throws Refusal;
  }

  private static Field of(String name, Schema schema, Check check) {
    return new Field(name, schema, check, true, false);
  }

  /**
   * A value of a type of its own.
   *
   * @param read gets a text, a long, a boolean, a list or a map; null refuses it
   * @param must what is told then, such as "must be a whole number"
   */
  public static Field value(
      String name, Schema schema, Function<Object, ? extends @Nullable Object> read, String must) {
    return of(
        name,
        schema,
        (raw, place, words) -> {
          Object value = read.apply(raw);
          if (value == null) {
            throw words.wrong(place, must);
          }
          return value;
        });
  }

  public static Field text(String name) {
    return value(name, Schema.TEXT, raw -> raw instanceof String ? raw : null, "must be text");
  }

  /**
   * @param must what is told of a text that does not match, such as "must be 1 to 9 digits"
   */
  public static Field text(String name, Pattern form, String must) {
    Field text = text(name);
    return of(
        name,
        Schema.TEXT.with("pattern", "^(?:" + form.pattern() + ")$"),
        (raw, place, words) -> {
          String value = (String) text.check.value(raw, place, words);
          if (!form.matcher(value).matches()) {
            throw words.wrong(place, must);
          }
          return value;
        });
  }

  /** One of a few words. */
  public static Field choice(String name, String... allowed) {
    List<String> all = List.of(allowed);
    return value(
        name,
        Schema.TEXT.with("enum", all),
        raw -> raw instanceof String text && all.contains(text) ? text : null,
        "must be " + String.join(" or ", allowed));
  }

  public static Field number(String name, long min, long max) {
    return value(
        name,
        Schema.WHOLE.with("minimum", min).with("maximum", max),
        raw -> raw instanceof Long number && number >= min && number <= max ? number : null,
        "must be a whole number from %d to %d".formatted(min, max));
  }

  public static Field flag(String name) {
    return value(
        name, Schema.FLAG, raw -> raw instanceof Boolean ? raw : null, "must be true or false");
  }

  /** Base64 in a text, or bytes where the tree was not read from JSON. */
  public static Field bytes(String name) {
    Field text = text(name);
    return of(
        name,
        Schema.BASE64,
        (raw, place, words) -> {
          if (raw instanceof byte[]) {
            return raw;
          }
          try {
            return Base64.getDecoder().decode((String) text.check.value(raw, place, words));
          } catch (IllegalArgumentException notBase64) {
            throw words.wrong(place, "is not base64");
          }
        });
  }

  /** A list of texts. */
  public static Field texts(String name, int max) {
    return of(
        name,
        Schema.list(Schema.TEXT).with("maxItems", max),
        (raw, place, words) -> {
          List<?> list = list(raw, max, place, words);
          if (!list.stream().allMatch(String.class::isInstance)) {
            throw words.wrong(place, "must be a list of texts");
          }
          return List.copyOf(list);
        });
  }

  /** A list of objects that are forms themselves. */
  public static Field objects(String name, Form each, int max) {
    return of(
        name,
        Schema.list(each.schema()).with("maxItems", max),
        (raw, place, words) -> {
          var objects = new ArrayList<Fields>();
          for (Object one : list(raw, max, place, words)) {
            if (!(one instanceof Map<?, ?> map)) {
              throw words.wrong(place, "must be a list of objects");
            }
            objects.add(each.check(named(map), place + "[" + objects.size() + "].", words));
          }
          return List.copyOf(objects);
        });
  }

  /** An object of values that are all alike, by names of the caller's choosing. */
  public static Field map(String name, Schema values, Class<?> type, String must) {
    return of(
        name,
        Schema.map(values),
        (raw, place, words) -> {
          if (!(raw instanceof Map<?, ?> map)) {
            throw words.wrong(place, "must be an object");
          }
          if (!map.values().stream().allMatch(type::isInstance)) {
            throw words.wrong(place, must);
          }
          return named(map);
        });
  }

  private static List<?> list(Object raw, int max, String place, FormFaults words) throws Refusal {
    if (raw instanceof List<?> list && list.size() <= max) {
      return list;
    }
    throw words.wrong(place, "must be a list of at most " + max);
  }

  private static Map<String, @Nullable Object> named(Map<?, ?> map) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> copy.put((String) key, value));
    return copy;
  }

  /** May be left out. */
  public Field optional() {
    return new Field(name, schema, check, false, takesNull);
  }

  /** May be left out, or be null, which is the same. */
  public Field nullable() {
    return new Field(name, schema, check, false, true);
  }

  /** The value it has in the example of its form; a field that may be left out has none without. */
  public Field example(Object value) {
    return new Field(name, schema.with("examples", List.of(value)), check, required, takesNull);
  }

  /** One line for the reader of the OpenAPI document. */
  public Field about(String words) {
    return new Field(name, schema.with("description", words), check, required, takesNull);
  }
}
