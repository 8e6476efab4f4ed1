package dev.ron.http.field;

import java.util.Collection;
import java.util.List;

/**
 * A few field names, found without regard to case and without making a new string.
 *
 * <p>Threading: immutable.
 */
public final class NameSet {
  public static final NameSet NONE = new NameSet(List.of());

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

  public static NameSet of(String... names) {
    return new NameSet(List.of(names));
  }

  public boolean has(String name) {
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
