package dev.ron.config.source;

import dev.ron.config.value.RawValue;
import org.jspecify.annotations.Nullable;

/** Something that may hold a value for a key, by the key's dotted path. */
public interface ConfigSource {
  @Nullable RawValue find(String path);
}
