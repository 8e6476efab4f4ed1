package dev.ron.tidy;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Code that may not be written at a place, and what to write instead.
 *
 * <p>Threading: immutable.
 *
 * @param pattern looked for in code, never in comments or literals
 */
record Ban(String name, String why, Pattern pattern, Place place, String replacement)
    implements FileRule {

  @Override
  public List<Finding> check(SourceFile file) {
    return place.has(file) ? file.matches(pattern, file.code(), name, replacement) : List.of();
  }
}
