package dev.ron.usage;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was used in a span of time.
 *
 * <p>Threading: immutable.
 *
 * @param units in the order of their keys
 */
public record UsageSpan(long number, Instant from, Instant to, SortedMap<UsageKey, Long> units) {
  public UsageSpan {
    units = Collections.unmodifiableSortedMap(new TreeMap<>(units));
  }
}
