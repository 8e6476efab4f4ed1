package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.mailbox.MailboxFault;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object, each to be asked for by name; what nobody asked for is refused.
 *
 * <p>Threading: owned by the request's thread.
 */
public final class MailboxForm {
  private final String place;
  private final Map<String, Object> values;
  private final Set<String> known = new HashSet<>();

  public MailboxForm(String place, Map<String, Object> values) {
    this.place = place;
    this.values = values;
  }

  /** What is wrong with a field, as a refusal. */
  public static Refusal wrong(String field, String what) {
    return new Refusal(400, new MailboxFault.Schema(field + ": " + what));
  }

  public String text(String name) throws Refusal {
    String text = textOrNull(name);
    if (text == null) {
      throw wrong(place + name, "is missing");
    }
    return text;
  }

  public @Nullable String textOrNull(String name) throws Refusal {
    Object value = take(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(place + name, "must be text");
  }

  /** Bytes: as they are, or base64 in a text. */
  public byte[] bytes(String name) throws Refusal {
    Object value = take(name);
    return switch (value) {
      case byte[] raw -> raw;
      case String base64 -> decoded(base64, place + name);
      case null -> throw wrong(place + name, "is missing");
      default -> throw wrong(place + name, "must be text");
    };
  }

  private static byte[] decoded(String base64, String place) throws Refusal {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException notBase64) {
      throw wrong(place, "is not base64");
    }
  }

  /** False if it is not there. */
  public boolean flag(String name) throws Refusal {
    Object value = take(name);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw wrong(place + name, "must be true or false");
  }

  public @Nullable Long numberOrNull(String name, long min, long max) throws Refusal {
    Object value = take(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Long number && number >= min && number <= max) {
      return number;
    }
    throw wrong(place + name, "must be a whole number from %d to %d".formatted(min, max));
  }

  public long number(String name, long fallback, long min, long max) throws Refusal {
    Long number = numberOrNull(name, min, max);
    return number == null ? fallback : number;
  }

  /** An object of texts; empty if it is not there. */
  public Map<String, String> texts(String name) throws Refusal {
    Object value = take(name);
    var texts = new LinkedHashMap<String, String>();
    if (value == null) {
      return texts;
    }
    if (!(value instanceof MailboxForm fields)) {
      throw wrong(place + name, "must be an object");
    }
    for (String each : fields.values.keySet()) {
      texts.put(each, fields.text(each));
    }
    return texts;
  }

  /** A list of objects with at least one, and at most {@code max}. */
  public List<MailboxForm> objects(String name, int max) throws Refusal {
    if (!(take(name) instanceof List<?> list) || list.isEmpty() || list.size() > max) {
      throw wrong(place + name, "must be a list of 1 to %d objects".formatted(max));
    }
    var objects = new ArrayList<MailboxForm>();
    for (Object each : list) {
      if (!(each instanceof MailboxForm fields)) {
        throw wrong(place + name, "must be a list of objects");
      }
      objects.add(fields);
    }
    return objects;
  }

  /** Refuses what nobody asked for. */
  public void end() throws Refusal {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw wrong(place + JsonFormReader.shown(name), "is not a known field");
      }
    }
  }

  /** For messages about a value of this object. */
  public String place(String name) {
    return place + name;
  }

  /** A value for a field that was left out: a text, bytes, or texts by name. */
  public void fallback(String name, Object value) {
    Object fitting =
        value instanceof Map<?, ?> texts ? new MailboxForm(place + name + ".", copy(texts)) : value;
    values.putIfAbsent(name, fitting);
  }

  private static Map<String, Object> copy(Map<?, ?> texts) {
    var copy = new LinkedHashMap<String, Object>();
    texts.forEach((key, text) -> copy.put(String.valueOf(key), String.valueOf(text)));
    return copy;
  }

  public void put(String name, Object value) {
    values.put(name, value);
  }

  private @Nullable Object take(String name) {
    known.add(name);
    return values.get(name);
  }
}
