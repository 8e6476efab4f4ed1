package dev.ron.config.source;

import dev.ron.config.value.RawValue;
import dev.ron.config.value.ValueOrigin;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flags of the command line, named by the path of their key: {@code --set mailbox.shard_count=4}.
 * Beside them, values that a command derives: weaker than flags, stronger than any other source.
 *
 * <p>Threading: immutable.
 *
 * @param derived where the values come from that are no flags, by their path
 */
public record Flags(Map<String, String> values, Map<String, ValueOrigin.Derived> derived)
    implements ConfigSource {
  public static final Flags NONE = new Flags(Map.of());

  public Flags {
    values = Map.copyOf(values);
    derived = Map.copyOf(derived);
  }

  public Flags(Map<String, String> values) {
    this(values, Map.of());
  }

  /**
   * Values that were not given.
   *
   * @param from what they follow from, in words: {@code the cluster}
   */
  public static Flags derived(Map<String, String> values, String from) {
    var origins = new HashMap<String, ValueOrigin.Derived>();
    values.keySet().forEach(path -> origins.put(path, new ValueOrigin.Derived(from)));
    return new Flags(values, origins);
  }

  /** Both; of a path that both have, the other's. */
  public Flags under(Flags other) {
    var all = new HashMap<>(values);
    var origins = new HashMap<>(derived);
    all.putAll(other.values);
    origins.keySet().removeAll(other.values.keySet());
    origins.putAll(other.derived);
    return new Flags(all, origins);
  }

  @Override
  public @Nullable RawValue find(String path) {
    String value = values.get(path);
    return value == null ? null : new RawValue(value, origin(path));
  }

  public ValueOrigin origin(String path) {
    ValueOrigin other = derived.get(path);
    return other == null ? new ValueOrigin.Flag(path) : other;
  }

  public Set<String> names() {
    return values.keySet();
  }
}
