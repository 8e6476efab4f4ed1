package dev.ron.config.source;

import dev.ron.config.value.RawValue;
import dev.ron.config.value.ValueOrigin;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flags of the command line, named by the path of their key: {@code --mailbox.shard_count=4}.
 *
 * <p>Threading: immutable.
 */
public record Flags(Map<String, String> values) implements ConfigSource {
  public Flags {
    values = Map.copyOf(values);
  }

  @Override
  public @Nullable RawValue find(String path) {
    String value = values.get(path);
    return value == null ? null : new RawValue(value, new ValueOrigin.Flag(path));
  }

  public Set<String> names() {
    return values.keySet();
  }
}
