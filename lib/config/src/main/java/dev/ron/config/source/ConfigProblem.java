package dev.ron.config.source;

import dev.ron.config.value.ValueOrigin;

/**
 * One thing wrong with the configuration: where it is, what it is and what to do about it.
 *
 * <p>Threading: immutable.
 */
public record ConfigProblem(ValueOrigin origin, String what) {
  @Override
  public String toString() {
    return origin instanceof ValueOrigin.Default ? what : origin.place() + ": " + what;
  }
}
