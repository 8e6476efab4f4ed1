package dev.ron.usage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the records of the usage journal come to: the span that is open, and the one that was cut
 * and is not in its file yet.
 *
 * <p>Threading: owned by {@link UsageTask}.
 */
public final class UsageState {
  /** A quarter of what an account can hold: a pebibyte that is kept for more than half an hour. */
  private static final long UNITS_FULL = 1L << 61;

  private SortedMap<UsageKey, Long> open = new TreeMap<>();
  private UsageRecord.@Nullable Cut last;
  private @Nullable UsageSpan closed;
  private boolean full;

  public void apply(UsageRecord record) {
    switch (record) {
      case UsageRecord.Counted(var deltas) ->
          deltas.forEach(
              delta -> {
                long sum = open.merge(delta.key(), delta.units(), Math::addExact);
                full |= sum > UNITS_FULL;
              });
      case UsageRecord.Cut cut -> {
        UsageRecord.Cut before = last;
        if (before != null && cut.number() != before.number() + 1) {
          throw new IllegalStateException(cut + " after " + before);
        }
        if (cut.number() > 0) {
          closed = new UsageSpan(cut.number(), cut.from(), cut.to(), open);
        }
        open = new TreeMap<>();
        full = false;
        last = cut;
      }
    }
  }

  /** The first record of all, if there is none yet. */
  public Optional<UsageRecord.Cut> begin(Instant wall) {
    return last == null ? Optional.of(new UsageRecord.Cut(0, wall, wall)) : Optional.empty();
  }

  /**
   * The cut that ends the open span now; none if nothing was used, or the last one is not in its
   * file yet. A clock that was set back makes a span without length, never one that ends before it
   * begins.
   */
  public Optional<UsageRecord.Cut> cut(Instant wall) {
    UsageRecord.Cut before = last;
    if (before == null || open.isEmpty() || closed != null) {
      return Optional.empty();
    }
    Instant to = wall.isBefore(before.to()) ? before.to() : wall;
    return Optional.of(new UsageRecord.Cut(before.number() + 1, before.to(), to));
  }

  /** Whether an account has come so far that the span should end before it overflows. */
  public boolean isFull() {
    return full;
  }

  /** The span that waits to be written. */
  public Optional<UsageSpan> closed() {
    return Optional.ofNullable(closed);
  }

  /** The number of the newest span that was cut; 0 if there is none. */
  long lastNumber() {
    UsageRecord.Cut cut = last;
    return cut == null ? 0 : cut.number();
  }

  /** The closed span is in its file. */
  public void written(long number) {
    UsageSpan span = closed;
    if (span != null && span.number() == number) {
      closed = null;
    }
  }

  /** The open span up to now. */
  public UsageSpan open(Instant wall) {
    UsageRecord.Cut before = last;
    Instant from = before == null ? wall : before.to();
    long number = before == null ? 1 : before.number() + 1;
    return new UsageSpan(number, from, wall.isBefore(from) ? from : wall, open);
  }

  /** The records that lead to this state, for a snapshot; only while no closed span waits. */
  public List<UsageRecord> records() {
    UsageRecord.Cut cut = last;
    if (cut == null || closed != null) {
      throw new IllegalStateException("a snapshot of " + cut + " with " + closed);
    }
    var records = new ArrayList<UsageRecord>();
    records.add(cut);
    var deltas = new ArrayList<UsageRecord.Delta>();
    for (Map.Entry<UsageKey, Long> each : open.entrySet()) {
      deltas.add(new UsageRecord.Delta(each.getKey(), each.getValue()));
      if (deltas.size() == UsageRecord.Counted.DELTAS_MAX) {
        records.add(new UsageRecord.Counted(deltas));
        deltas.clear();
      }
    }
    if (!deltas.isEmpty()) {
      records.add(new UsageRecord.Counted(deltas));
    }
    return records;
  }
}
