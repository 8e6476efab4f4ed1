package dev.ron.simulator.storage;

import dev.ron.simulator.engine.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts the bytes that each machine got from others to repair, in every second in which it asked
 * for them.
 *
 * <p>By when they were asked for, because they are paid for then, and the network brings together
 * what was asked for one after the other.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class RepairMeter {
  static final long BYTES_PER_SECOND = 1 << 20;

  /**
   * What was paid for may be asked for a moment later by each worker, and of a node that is slow a
   * second time elsewhere.
   */
  private static final long SLACK_BYTES = 1 << 20;

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** By then all that was asked for has come, or does not come. */
  private static final Duration KEPT = Duration.ofMinutes(2);

  private final Map<String, NavigableMap<Instant, Long>> moved = new HashMap<>();

  void moved(String machine, Instant asked, long bytes) {
    NavigableMap<Instant, Long> all = moved.computeIfAbsent(machine, _ -> new TreeMap<>());
    all.merge(asked, bytes, Long::sum);
    all.headMap(asked.minus(KEPT)).clear();
    for (Instant from : all.subMap(asked.minus(SECOND), false, asked, true).keySet()) {
      long within =
          all.subMap(from, true, from.plus(SECOND), false).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      if (within > BYTES_PER_SECOND + SLACK_BYTES) {
        throw new Violation(
            "the repair budget is never exceeded",
            "%s asked for %d bytes within a second, and may move %d"
                .formatted(machine, within, BYTES_PER_SECOND));
      }
    }
  }
}
