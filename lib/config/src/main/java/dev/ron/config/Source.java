package dev.ron.config;

import org.jspecify.annotations.Nullable;

/** Something that may hold a value for a key, by the key's dotted path. */
interface Source {
  @Nullable Raw find(String path);
}
