package dev.ron.usage;

import java.util.Comparator;

/**
 * One account: who used, and of what.
 *
 * <p>Threading: immutable.
 *
 * @param metric the service and the unit, such as {@code storage.requests}
 */
public record UsageKey(String tenant, String metric) implements Comparable<UsageKey> {
  private static final Comparator<UsageKey> ORDER =
      Comparator.comparing(UsageKey::tenant).thenComparing(UsageKey::metric);

  @Override
  public int compareTo(UsageKey other) {
    return ORDER.compare(this, other);
  }
}
