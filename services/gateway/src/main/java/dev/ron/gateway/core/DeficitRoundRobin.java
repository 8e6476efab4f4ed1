package dev.ron.gateway.core;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whose request goes next: deficit round robin between the tenants that wait (Shreedhar and
 * Varghese, 1995).
 *
 * <p>Tenants stand in a ring. The one in front is granted its quantum once per visit and served
 * from the head of its line while its deficit pays; then it goes to the back and keeps what is
 * left. A tenant whose line runs empty leaves the ring and keeps nothing, so no tenant saves up
 * while idle. The ring holds only tenants that wait, so one alone gets everything.
 *
 * <p>A deficit stays below quantum plus largest cost, and a tenant that waits is passed over for at
 * most {@code cost / quantum} rounds; {@code models/tla/DeficitRoundRobin.tla} proves both.
 *
 * <p>Threading: owned by the scheduler.
 */
public final class DeficitRoundRobin<T> {
  private final ArrayDeque<Line<T>> ring = new ArrayDeque<>();
  private final Map<String, Line<T>> lines = new HashMap<>();
  private Quanta quanta;
  private int waiting;

  /** One tenant's requests, oldest first. */
  private static final class Line<T> {
    private final String tenant;
    private final ArrayDeque<Item<T>> items = new ArrayDeque<>();
    private int deficit;
    private boolean granted;

    Line(String tenant) {
      this.tenant = tenant;
    }

    boolean affords() {
      Item<T> head = items.peek();
      return head != null && head.cost <= deficit;
    }
  }

  private record Item<T>(T what, int cost) {}

  /** The tenant with the most requests waiting. */
  public record Longest(String tenant, int waiting) {}

  public DeficitRoundRobin(Quanta quanta) {
    this.quanta = quanta;
  }

  /** Holds from the next visit on. */
  public void quanta(Quanta next) {
    quanta = next;
  }

  public void add(String tenant, int cost, T what) {
    if (cost < 1) {
      throw new IllegalArgumentException("cost = " + cost);
    }
    Line<T> line = lines.get(tenant);
    if (line == null) {
      line = new Line<>(tenant);
      lines.put(tenant, line);
      ring.addLast(line);
    }
    line.items.addLast(new Item<>(what, cost));
    waiting++;
  }

  /**
   * Takes the request that goes next, null if none waits.
   *
   * @param takes false for one that is gone meanwhile; it is dropped and not charged
   */
  public @Nullable T next(Predicate<? super T> takes) {
    return next(_ -> true, takes);
  }

  /**
   * Takes the request that goes next, null if none waits whose turn may come.
   *
   * @param open false for a tenant that is passed over now; it keeps its deficit and gets no more
   */
  public @Nullable T next(Predicate<String> open, Predicate<? super T> takes) {
    int fruitless = 0;
    while (!ring.isEmpty()) {
      if (fruitless == ring.size()) {
        if (ring.stream().noneMatch(line -> open.test(line.tenant))) {
          return null;
        }
        skipRounds(open);
        fruitless = 0;
      }
      Line<T> front = ring.getFirst();
      if (!open.test(front.tenant)) {
        ring.addLast(ring.removeFirst());
        fruitless++;
        continue;
      }
      if (!front.granted) {
        front.granted = true;
        front.deficit += quanta.of(front.tenant);
      }
      while (front.affords()) {
        Item<T> head = front.items.remove();
        waiting--;
        boolean taken = takes.test(head.what);
        front.deficit -= taken ? head.cost : 0;
        if (front.items.isEmpty()) {
          leave(front);
        }
        if (taken) {
          return head.what;
        }
        fruitless = 0;
      }
      if (!front.items.isEmpty()) {
        front.granted = false;
        ring.addLast(ring.removeFirst());
        fruitless++;
      }
    }
    return null;
  }

  /**
   * A round in which no tenant could afford anything is followed by equal ones; takes them at once.
   */
  private void skipRounds(Predicate<String> open) {
    int rounds = Integer.MAX_VALUE;
    List<Line<T>> visited = ring.stream().filter(line -> open.test(line.tenant)).toList();
    for (Line<T> line : visited) {
      int missing = line.items.getFirst().cost - line.deficit;
      rounds = Math.min(rounds, Math.ceilDiv(missing, quanta.of(line.tenant)) - 1);
    }
    for (Line<T> line : visited) {
      line.deficit += rounds * quanta.of(line.tenant);
    }
  }

  private void leave(Line<T> line) {
    ring.remove(line);
    lines.remove(line.tenant);
  }

  /** All that wait. */
  public int waiting() {
    return waiting;
  }

  public int waiting(String tenant) {
    Line<T> line = lines.get(tenant);
    return line == null ? 0 : line.items.size();
  }

  /** What a tenant may still spend; 0 for one that does not wait. */
  public int deficit(String tenant) {
    Line<T> line = lines.get(tenant);
    return line == null ? 0 : line.deficit;
  }

  /** Who has the longest line; of equals the one that waits for its turn the shortest. */
  public Optional<Longest> longest() {
    Line<T> longest = null;
    for (Line<T> line : ring) {
      if (longest == null || line.items.size() > longest.items.size()) {
        longest = line;
      }
    }
    return longest == null
        ? Optional.empty()
        : Optional.of(new Longest(longest.tenant, longest.items.size()));
  }

  /** Takes a tenant's newest request out, because the room is needed; null if it has none. */
  public @Nullable T dropNewest(String tenant) {
    Line<T> line = lines.get(tenant);
    if (line == null) {
      return null;
    }
    Item<T> newest = line.items.removeLast();
    waiting--;
    if (line.items.isEmpty()) {
      leave(line);
    }
    return newest.what;
  }

  /** Drops everything that is gone meanwhile, so that it takes no room. */
  public void dropIf(Predicate<? super T> gone) {
    for (Line<T> line : List.copyOf(ring)) {
      int before = line.items.size();
      line.items.removeIf(item -> gone.test(item.what));
      waiting -= before - line.items.size();
      if (line.items.isEmpty()) {
        leave(line);
      }
    }
  }
}
