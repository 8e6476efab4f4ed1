package dev.ron.tidy;

/**
 * One place that breaks one rule, and what to write there instead.
 *
 * <p>Threading: immutable.
 *
 * @param path from the project's root, with forward slashes
 * @param line counted from 1
 */
public record Finding(String path, int line, String rule, String replacement) {

  /** One line an editor can jump from. */
  @Override
  public String toString() {
    return path + ":" + line + ": [" + rule + "] " + replacement;
  }
}
