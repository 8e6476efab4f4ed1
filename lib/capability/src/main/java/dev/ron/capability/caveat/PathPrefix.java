package dev.ron.capability.caveat;

/**
 * What a {@code prefix} caveat covers: whole segments, never the beginning of one.
 *
 * <pre>
 * prefix    covers                     does not cover
 * /o        /o  /o/  /o/a              /other  /
 * /o/       /o/  /o/a                  /o  /other
 * /         every path                 any topic
 * orders    orders  orders.eu  orders/eu   orders2  /orders
 * orders.   orders.eu                  orders  orders/eu
 * </pre>
 *
 * <p>A prefix that ends in a separator covers what starts with it; any other covers itself and what
 * goes on with a separator. Separators are those of {@link CaveatPath}. Case matters.
 *
 * <p>Threading: immutable.
 */
final class PathPrefix {
  private static final int CHARS_MAX = 1024;

  private PathPrefix() {}

  static void require(String prefix) {
    if (prefix.length() > CHARS_MAX) {
      throw new IllegalArgumentException("a prefix is longer than " + CHARS_MAX + " characters");
    }
    CaveatPath.ambiguity(prefix)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException("a prefix must be normal, but " + why);
            });
  }

  /** Both have been found normal before. */
  static boolean covers(String prefix, String path) {
    if (!path.startsWith(prefix)) {
      return false;
    }
    boolean topic = CaveatPath.isTopic(prefix);
    return path.length() == prefix.length()
        || CaveatPath.isSeparator(prefix.charAt(prefix.length() - 1), topic)
        || CaveatPath.isSeparator(path.charAt(prefix.length()), topic);
  }
}
