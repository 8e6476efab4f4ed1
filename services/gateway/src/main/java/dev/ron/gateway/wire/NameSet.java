package dev.ron.gateway.wire;

import java.util.Collection;
import java.util.List;

/**
 * A few field names, found without regard to case and without making a new string.
 *
 * <p>Threading: immutable.
 */
final class NameSet {
  private final String[][] byLength;

  NameSet(Collection<String> names) {
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    byLength = new String[longest + 1][];
    for (int length = 0; length <= longest; length++) {
      int wanted = length;
      byLength[length] =
          names.stream().filter(name -> name.length() == wanted).toArray(String[]::new);
    }
  }

  static NameSet of(String... names) {
    return new NameSet(List.of(names));
  }

  boolean has(String name) {
    if (name.length() >= byLength.length) {
      return false;
    }
    for (String own : byLength[name.length()]) {
      if (own.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }
}
