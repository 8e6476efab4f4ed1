package dev.ron.kernel.metric;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the values of a label that callers choose, such as the tenant, to a fixed number.
 *
 * <p>The first {@code max} values are kept; every later one is counted as {@code other}. Without
 * this, any client that can name tenants can fill the memory of this process and of the scraper.
 *
 * <p>Threading: thread-safe; racing first uses may exceed {@code max} by the number of racers.
 */
public final class CappedLabel {
  public static final String OTHER = "other";

  private final int max;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  public CappedLabel(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("max = " + max + ", must be at least 1");
    }
    this.max = max;
  }

  public String of(String value) {
    if (seen.contains(value)) {
      return value;
    }
    if (seen.size() >= max) {
      return OTHER;
    }
    seen.add(value);
    return value;
  }
}
