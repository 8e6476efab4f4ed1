package dev.ron.config;

import dev.ron.config.value.Literal;
import dev.ron.config.value.ValueOrigin;

/**
 * A key with the value in effect and where that came from.
 *
 * <p>Threading: immutable.
 *
 * @param path as declared, with the index where the declaration has {@code []}
 * @param value the typed value; a {@code Secret} does not print itself
 * @param plain what may be shown of it: a string, number, boolean, list or map
 * @param weakened whether it is weaker than the hardened default, as {@code danger_ok} allows
 */
public record ConfigEntry(
    String path,
    Declaration declaration,
    Object value,
    Object plain,
    ValueOrigin origin,
    boolean weakened) {

  /** The value as a TOML file would write it. */
  public String text() {
    return Literal.toml(plain);
  }
}
