package dev.ron.config;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flags of the command line, named by the path of their key: {@code --mailbox.shard_count=4}.
 *
 * <p>Threading: immutable.
 */
record Flags(Map<String, String> values) implements Source {
  Flags {
    values = Map.copyOf(values);
  }

  @Override
  public @Nullable Raw find(String path) {
    String value = values.get(path);
    return value == null ? null : new Raw(value, new Origin.Flag(path));
  }

  Set<String> names() {
    return values.keySet();
  }
}
