package dev.ron.kernel.tenant;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whose item goes next: start-time fair queueing between tenants (Goyal, Vin and Cheng, 1996).
 *
 * <p>Each tenant that waits has a start: the virtual time at which its oldest item may begin. The
 * smallest start goes next, and moves on by the item's cost divided by the tenant's weight. So
 * tenants that wait all the time are served in proportion to their weights, whatever their items
 * cost, and in turns, not in runs of a weight's length.
 *
 * <p>A tenant that comes starts at the virtual time of now: it waits for one item of each tenant
 * before it and never for their lines. One that left and comes back is not ahead for it: it starts
 * where its last item ended. No tenant saves up while it is idle.
 *
 * <p>Threading: owned by the queue or pool that asks it, under its lock.
 */
public final class FairQueue<T> {
  /** One of cost at weight one; what a division by a weight loses is below a tenth of a percent. */
  private static final long UNIT = 1L << 20;

  private static final long COST_MAX = 1L << 32;

  /** Virtual time begins again here, long before it can overflow. */
  private static final long NOW_MAX = 1L << 60;

  /** Tenants that wait for nothing and are remembered for their last item. */
  private static final int IDLE_MAX = 4096;

  private final ToIntFunction<String> weights;
  private final Map<String, Line<T>> lines = new HashMap<>();
  private final TreeSet<Line<T>> order =
      new TreeSet<>(
          Comparator.<Line<T>>comparingLong(line -> line.start).thenComparing(line -> line.tenant));
  private long now;
  private int size;

  /** One tenant's items, oldest first. */
  private static final class Line<T> {
    private final String tenant;
    private final ArrayDeque<Item<T>> items = new ArrayDeque<>();
    private long start;

    Line(String tenant, long start) {
      this.tenant = tenant;
      this.start = start;
    }
  }

  private record Item<T>(T what, long cost) {}

  /**
   * @param weights of tenants, at least 1; asked when an item goes, so another weight holds at once
   */
  public FairQueue(ToIntFunction<String> weights) {
    this.weights = weights;
  }

  /**
   * @param cost what the item takes, in a unit that is the same for all; at least 1
   */
  public void add(String tenant, long cost, T what) {
    Line<T> line = lines.get(tenant);
    if (line == null) {
      line = new Line<>(tenant, now);
      lines.put(tenant, line);
      order.add(line);
    } else if (line.items.isEmpty()) {
      moveTo(line, Math.max(line.start, now));
    }
    line.items.addLast(new Item<>(what, Math.clamp(cost, 1, COST_MAX)));
    size++;
  }

  /** Takes the item that goes next; null if none waits. */
  public @Nullable T poll() {
    return poll(_ -> true);
  }

  /**
   * Takes the item that goes next; null if none waits.
   *
   * @param takes false for one that is gone meanwhile; it is dropped and not charged
   */
  public @Nullable T poll(Predicate<? super T> takes) {
    while (size > 0) {
      Line<T> first = order.first();
      Item<T> head = first.items.poll();
      if (head == null) {
        forget(first); // its last item ended before now
        continue;
      }
      size--;
      if (takes.test(head.what)) {
        now = first.start;
        moveTo(first, now + Math.ceilDiv(head.cost * UNIT, weights.applyAsInt(first.tenant)));
        boundIdle();
        beginAgain();
        return head.what;
      }
    }
    return null;
  }

  private void moveTo(Line<T> line, long start) {
    order.remove(line);
    line.start = start;
    order.add(line);
  }

  private void forget(Line<T> line) {
    order.remove(line);
    lines.remove(line.tenant);
  }

  private void boundIdle() {
    if (lines.size() > size + IDLE_MAX) {
      List<Line<T>> idle = new ArrayList<>(order);
      idle.removeIf(line -> !line.items.isEmpty());
      idle.forEach(this::forget);
    }
  }

  private void beginAgain() {
    if (now > NOW_MAX) {
      order.forEach(line -> line.start -= now); // all alike: their order stays
      now = 0;
    }
  }

  /** All that wait. */
  public int size() {
    return size;
  }

  public int size(String tenant) {
    Line<T> line = lines.get(tenant);
    return line == null ? 0 : line.items.size();
  }

  /**
   * Makes room for an item of a tenant: takes the newest item of the tenant that has the longest
   * line for its weight.
   *
   * @return null if that is the tenant itself: then its own item is the one too many
   */
  public @Nullable T giveWayTo(String tenant) {
    Line<T> longest = null;
    double most = (size(tenant) + 1.0) / weights.applyAsInt(tenant);
    for (Line<T> line : order) {
      double length = (double) line.items.size() / weights.applyAsInt(line.tenant);
      if (length > most && !line.tenant.equals(tenant)) {
        most = length;
        longest = line;
      }
    }
    if (longest == null) {
      return null;
    }
    size--;
    return longest.items.removeLast().what;
  }

  /** Takes out an item that waits no longer; false if it is not there. */
  public boolean remove(String tenant, T what) {
    Line<T> line = lines.get(tenant);
    Item<T> found = null;
    if (line != null) {
      for (Item<T> item : line.items) {
        found = item.what.equals(what) ? item : found;
      }
    }
    if (line == null || found == null) {
      return false;
    }
    line.items.remove(found);
    size--;
    return true;
  }

  /** Everything that waits, each tenant's in its order; the queue is empty then. */
  public List<T> drain() {
    var all = new ArrayList<T>(size);
    for (Line<T> line : order) {
      line.items.forEach(item -> all.add(item.what));
    }
    order.clear();
    lines.clear();
    size = 0;
    return List.copyOf(all);
  }
}
