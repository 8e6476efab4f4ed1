package dev.ron.rewarder.wire;

import dev.ron.rewarder.core.Wide;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object, each to be asked for by name; what nobody asked for is refused.
 *
 * <p>Threading: owned by whoever reads.
 */
public final class Fields {
  private final String place;
  private final Map<String, @Nullable Object> values;
  private final Set<String> known = new HashSet<>();

  private Fields(String place, Map<String, @Nullable Object> values) {
    this.place = place;
    this.values = values;
  }

  public static Fields of(byte[] json) throws JsonTree.Malformed {
    return new Fields("", JsonTree.object(json));
  }

  public static Fields of(Map<String, @Nullable Object> values) {
    return new Fields("", values);
  }

  public String text(String name) throws JsonTree.Malformed {
    if (take(name) instanceof String text) {
      return text;
    }
    throw wrong(name, values.containsKey(name) ? "must be text" : "is missing");
  }

  public Optional<String> textIfAny(String name) throws JsonTree.Malformed {
    return take(name) == null ? Optional.empty() : Optional.of(text(name));
  }

  public long number(String name, long min, long max) throws JsonTree.Malformed {
    if (take(name) instanceof Long number && number >= min && number <= max) {
      return number;
    }
    throw wrong(name, "must be a whole number from %d to %d".formatted(min, max));
  }

  public boolean bool(String name, boolean fallback) throws JsonTree.Malformed {
    Object value = take(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw wrong(name, "must be true or false");
  }

  /** An amount: digits as text, or a whole number. */
  public Wide wide(String name) throws JsonTree.Malformed {
    Optional<Wide> value =
        switch (take(name)) {
          case String text -> Wide.parse(text);
          case Long number when number >= 0 -> Optional.of(Wide.of(number));
          case null, default -> Optional.empty();
        };
    return value.orElseThrow(() -> wrong(name, "must be a whole number from 0 to 2^127 - 1"));
  }

  /** Empty if it is absent or null. */
  public Optional<Wide> wideIfAny(String name) throws JsonTree.Malformed {
    return take(name) == null ? Optional.empty() : Optional.of(wide(name));
  }

  /** An object of whole numbers. */
  public Map<String, Long> numbers(String name) throws JsonTree.Malformed {
    if (!(take(name) instanceof Map<?, ?> map)) {
      throw wrong(name, "must be an object");
    }
    var numbers = new LinkedHashMap<String, Long>();
    for (Map.Entry<?, ?> each : map.entrySet()) {
      if (!(each.getValue() instanceof Long number)) {
        throw wrong(name, "must be an object of whole numbers");
      }
      numbers.put((String) each.getKey(), number);
    }
    return numbers;
  }

  public List<String> texts(String name, int max) throws JsonTree.Malformed {
    var texts = new ArrayList<String>();
    for (Object each : list(name, max)) {
      if (!(each instanceof String text)) {
        throw wrong(name, "must be a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  public List<Fields> objects(String name, int max) throws JsonTree.Malformed {
    var objects = new ArrayList<Fields>();
    for (Object each : list(name, max)) {
      if (!(each instanceof Map<?, ?> map)) {
        throw wrong(name, "must be a list of objects");
      }
      var copy = new LinkedHashMap<String, @Nullable Object>();
      map.forEach((key, value) -> copy.put((String) key, value));
      objects.add(new Fields(place + name + "[" + objects.size() + "].", copy));
    }
    return objects;
  }

  private List<?> list(String name, int max) throws JsonTree.Malformed {
    Object value = take(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list && list.size() <= max) {
      return list;
    }
    throw wrong(name, "must be a list of at most " + max);
  }

  /** Refuses what nobody asked for. */
  public void end() throws JsonTree.Malformed {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw wrong(JsonTree.shown(name), "is not a known field");
      }
    }
  }

  public JsonTree.Malformed wrong(String name, String what) {
    return new JsonTree.Malformed(place + name, what);
  }

  private @Nullable Object take(String name) {
    known.add(name);
    return values.get(name);
  }
}
