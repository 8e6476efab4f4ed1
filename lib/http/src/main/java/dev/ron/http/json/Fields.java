package dev.ron.http.json;

import dev.ron.http.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of a body that has its {@link Form}; asking for a field that the form does not have,
 * or as another type, is a bug.
 *
 * <p>Threading: immutable; the bytes of a value must not be changed.
 */
public final class Fields {
  private final String place;
  private final Map<String, Object> values;
  private final Set<String> known;
  private final FormFaults words;

  Fields(String place, Map<String, Object> values, Set<String> known, FormFaults words) {
    this.place = place;
    this.values = values;
    this.known = known;
    this.words = words;
  }

  public boolean has(String name) {
    return find(name) != null;
  }

  public String text(String name) {
    return value(name, String.class);
  }

  public @Nullable String textOrNull(String name) {
    return (String) find(name);
  }

  public long number(String name) {
    return value(name, Long.class);
  }

  public long number(String name, long fallback) {
    return find(name) instanceof Long number ? number : fallback;
  }

  /** False if it is not there. */
  public boolean flag(String name) {
    return Boolean.TRUE.equals(find(name));
  }

  public byte[] bytes(String name) {
    return value(name, byte[].class);
  }

  /** Empty if it is not there. */
  @SuppressWarnings("unchecked") // the field's check made it so
  public List<String> texts(String name) {
    return find(name) instanceof List<?> list ? (List<String>) list : List.of();
  }

  /** Empty if it is not there. */
  @SuppressWarnings("unchecked") // the field's check made it so
  public List<Fields> objects(String name) {
    return find(name) instanceof List<?> list ? (List<Fields>) list : List.of();
  }

  /** Empty if it is not there. */
  @SuppressWarnings({"unchecked", "UnusedTypeParameter"}) // the field's check made it so
  public <T> Map<String, T> map(String name, Class<T> values) {
    return find(name) instanceof Map<?, ?> map ? (Map<String, T>) map : Map.of();
  }

  /** Of a {@link Field#value}. */
  public <T> T value(String name, Class<T> type) {
    Object value = find(name);
    if (value == null) {
      throw new IllegalArgumentException("field " + name + " is optional and not there");
    }
    return type.cast(value);
  }

  /** What is wrong with a value by a rule that the form does not know, as a refusal. */
  public Refusal wrong(String name, String what) {
    return words.wrong(place + name, what);
  }

  private @Nullable Object find(String name) {
    if (!known.contains(name)) {
      throw new IllegalArgumentException("the form has no field " + name);
    }
    return values.get(name);
  }
}
