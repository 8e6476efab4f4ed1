package dev.ron.http.json;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema, as OpenAPI 3.1 embeds it.
 *
 * <p>Made once, when routes are: of a record with {@link #of}, which reflects, or of a {@link
 * Form}.
 *
 * <p>Threading: immutable.
 */
public record Schema(Map<String, Object> json) {
  public static final Schema ANY = new Schema(Map.of());
  public static final Schema TEXT = type("string");
  public static final Schema FLAG = type("boolean");
  public static final Schema WHOLE = type("integer");
  public static final Schema NUMBER = type("number");
  public static final Schema BASE64 = TEXT.with("contentEncoding", "base64");

  public Schema {
    json = Collections.unmodifiableMap(new LinkedHashMap<>(json));
  }

  private static Schema type(String name) {
    return new Schema(Map.of("type", name));
  }

  /** The same with one more keyword. */
  public Schema with(String keyword, Object value) {
    var more = new LinkedHashMap<>(json);
    more.put(keyword, value);
    return new Schema(more);
  }

  public static Schema list(Schema items) {
    return type("array").with("items", items.json());
  }

  /** An object with names of its own choosing. */
  public static Schema map(Schema values) {
    return type("object").with("additionalProperties", values.json());
  }

  /** An object with these fields, in this order: a document is the same whenever it is made. */
  public static Schema object(SequencedMap<String, Schema> properties, List<String> required) {
    var shown = new LinkedHashMap<String, Object>();
    properties.forEach((name, schema) -> shown.put(name, schema.json()));
    Schema object = type("object").with("properties", shown);
    return required.isEmpty() ? object : object.with("required", List.copyOf(required));
  }

  /**
   * What {@link Json} writes of a record: its components in snake case, without those that are
   * null.
   */
  public static Schema of(Class<? extends Record> record) {
    var properties = new LinkedHashMap<String, Schema>();
    var required = new ArrayList<String>();
    for (RecordComponent component : record.getRecordComponents()) {
      String name = snakeCase(component.getName());
      properties.put(name, of(component.getGenericType()));
      if (component.getType() != Optional.class && !isNullable(component.getAnnotatedType())) {
        required.add(name);
      }
    }
    return object(properties, required);
  }

  private static Schema of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      Schema last = of(arguments[arguments.length - 1]);
      Class<?> raw = (Class<?>) generic.getRawType();
      return raw == Optional.class
          ? last
          : Collection.class.isAssignableFrom(raw) ? list(last) : map(last);
    }
    return type instanceof Class<?> plain ? ofPlain(plain) : ANY;
  }

  private static Schema ofPlain(Class<?> type) {
    if (type.isRecord()) {
      return of(type.asSubclass(Record.class));
    }
    if (type.isEnum()) {
      return TEXT.with(
          "enum", Arrays.stream(type.getEnumConstants()).map(Object::toString).toList());
    }
    if (type.isSealed()) {
      return new Schema(
          Map.of(
              "oneOf",
              Arrays.stream(type.getPermittedSubclasses()).map(each -> of(each).json()).toList()));
    }
    return switch (type.getName()) {
      case "java.lang.String" -> TEXT;
      case "[B" -> BASE64;
      case "boolean", "java.lang.Boolean" -> FLAG;
      case "double", "java.lang.Double" -> NUMBER;
      case "int", "long", "java.lang.Integer", "java.lang.Long" -> WHOLE;
      case "java.lang.Object" -> ANY;
      default -> throw new IllegalArgumentException("no JSON Schema for " + type);
    };
  }

  /**
   * A value of this schema, for a reader to send: what {@code examples} says, or the plainest one.
   * Of an object, its required fields and those that say an example; null where any value fits.
   */
  public @Nullable Object example() {
    if (json.get("examples") instanceof List<?> said) {
      return said.getFirst();
    }
    if (json.get("enum") instanceof List<?> words) {
      return words.getFirst();
    }
    return switch (String.valueOf(json.get("type"))) {
      case "string" -> json.containsKey("contentEncoding") ? "aGVsbG8=" : "example";
      case "boolean" -> false;
      case "integer", "number" -> json.getOrDefault("minimum", 1);
      case "array" -> Collections.singletonList(part(json.get("items")).example());
      case "object" -> fields();
      default -> null;
    };
  }

  private Map<String, @Nullable Object> fields() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    if (json.get("properties") instanceof Map<?, ?> properties) {
      var required = (List<?>) json.getOrDefault("required", List.of());
      properties.forEach(
          (name, value) -> {
            Schema field = part(value);
            if (required.contains(name) || field.json.containsKey("examples")) {
              fields.put((String) name, field.example());
            }
          });
    }
    return fields;
  }

  @SuppressWarnings("unchecked") // what was put there is the JSON of a schema
  private static Schema part(@Nullable Object schema) {
    return schema == null ? ANY : new Schema((Map<String, Object>) schema);
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class);
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
