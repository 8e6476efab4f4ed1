package dev.ron.testkit;

import dev.ron.kernel.metric.Meter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A meter whose counts a test compares with what its own client was told.
 *
 * <p>Threading: thread-safe.
 */
public final class UnitLedger implements Meter {
  private final Map<String, Long> units = new ConcurrentHashMap<>();

  @Override
  public Account account(String tenant) {
    return (unit, count) -> units.merge(tenant + " " + unit.word(), count, Long::sum);
  }

  /** By {@code tenant unit}, in their order. */
  public Map<String, Long> units() {
    return new TreeMap<>(units);
  }

  /** What one tenant was charged in one unit. */
  public long units(String tenant, Meter.Unit unit) {
    return units.getOrDefault(tenant + " " + unit.word(), 0L);
  }
}
