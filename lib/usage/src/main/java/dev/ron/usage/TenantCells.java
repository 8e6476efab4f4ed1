package dev.ron.usage;

import dev.ron.kernel.metric.Meter;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one tenant has used of one service since the process began.
 *
 * <p>Cells only grow. The fold writes differences, so a cell that is read while it grows is counted
 * later, not twice; a total past 63 bits wraps, and its differences stay right.
 *
 * <p>Threading: {@link #add} from any thread. {@code seen} and {@code journaled} are owned by the
 * fold. {@code dirty} is set after a cell has grown and cleared before the cells are read, so a
 * growth that the fold did not read leaves it set.
 */
@SuppressWarnings("EnumOrdinal") // an index in this process, never written
final class TenantCells implements Meter.Account {
  private static final int UNITS = Meter.Unit.values().length;

  private final String tenant;
  private final AtomicReferenceArray<@Nullable LongAdder> cells = new AtomicReferenceArray<>(UNITS);
  private volatile boolean dirty;
  private final long[] seen = new long[UNITS];
  private final long[] journaled = new long[UNITS];
  private boolean pending;

  TenantCells(String tenant) {
    this.tenant = tenant;
  }

  String tenant() {
    return tenant;
  }

  @Override
  public void add(Meter.Unit unit, long units) {
    if (units < 0) {
      throw new IllegalArgumentException(unit + " = " + units);
    }
    cell(unit.ordinal()).add(units);
    if (!dirty) {
      dirty = true;
    }
  }

  private LongAdder cell(int at) {
    LongAdder cell = cells.get(at);
    if (cell != null) {
      return cell;
    }
    var made = new LongAdder();
    LongAdder other = cells.compareAndExchange(at, null, made);
    return other == null ? made : other;
  }

  /**
   * Hands over what has grown and is not journaled.
   *
   * @param all also what has grown since the last call; else only what was there then
   */
  void due(boolean all, BiConsumer<Meter.Unit, Long> to) {
    if (!dirty && !pending) {
      return;
    }
    dirty = false;
    pending = false;
    for (Meter.Unit unit : Meter.Unit.values()) {
      int at = unit.ordinal();
      LongAdder cell = cells.get(at);
      if (cell != null) {
        long before = seen[at];
        seen[at] = cell.sum();
        long upTo = all ? seen[at] : before;
        if (upTo != journaled[at]) {
          to.accept(unit, upTo - journaled[at]);
        }
        pending |= seen[at] != journaled[at];
      }
    }
  }

  /** Everything that was counted. */
  void each(BiConsumer<Meter.Unit, Long> to) {
    for (Meter.Unit unit : Meter.Unit.values()) {
      LongAdder cell = cells.get(unit.ordinal());
      if (cell != null) {
        to.accept(unit, cell.sum());
      }
    }
  }

  /** The journal has taken so many. */
  void journaled(Meter.Unit unit, long units) {
    journaled[unit.ordinal()] += units;
  }
}
