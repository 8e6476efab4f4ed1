package dev.ron.config;

/**
 * One thing wrong with the configuration: where it is, what it is and what to do about it.
 *
 * <p>Threading: immutable.
 */
public record Problem(Origin origin, String what) {
  @Override
  public String toString() {
    return origin instanceof Origin.Default ? what : origin.place() + ": " + what;
  }
}
