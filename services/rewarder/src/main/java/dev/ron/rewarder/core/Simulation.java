package dev.ron.rewarder.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Which actors gain and which lose under another policy, over one epoch.
 *
 * <p>Threading: owned by the request.
 */
public final class Simulation {
  /** Named of each side; the sums are of all. */
  private static final int NAMED_MAX = 10;

  private long gainers;
  private long losers;
  private long same;
  private Wide gained = Wide.ZERO;
  private Wide lost = Wide.ZERO;
  private final PriorityQueue<Change> most = new PriorityQueue<>(order());
  private final PriorityQueue<Change> least = new PriorityQueue<>(order());

  /** One actor's change. */
  public record Change(String actor, Wide before, Wide after) {
    Wide size() {
      return before.compareTo(after) < 0 ? after.minus(before) : before.minus(after);
    }
  }

  /** Smallest first, and of equals the later name first, so that those fall out. */
  private static Comparator<Change> order() {
    return Comparator.comparing(Change::size)
        .thenComparing(Comparator.comparing(Change::actor).reversed());
  }

  public void compare(String actor, Wide before, Wide after) {
    int order = before.compareTo(after);
    var change = new Change(actor, before, after);
    if (order == 0) {
      same++;
    } else if (order < 0) {
      gainers++;
      gained = gained.plus(change.size());
      keep(most, change);
    } else {
      losers++;
      lost = lost.plus(change.size());
      keep(least, change);
    }
  }

  private static void keep(PriorityQueue<Change> largest, Change change) {
    largest.add(change);
    if (largest.size() > NAMED_MAX) {
      largest.remove();
    }
  }

  public long gainers() {
    return gainers;
  }

  public long losers() {
    return losers;
  }

  public long same() {
    return same;
  }

  public Wide gained() {
    return gained;
  }

  public Wide lost() {
    return lost;
  }

  /** The largest gains, largest first. */
  public List<Change> mostGained() {
    return sorted(most);
  }

  public List<Change> mostLost() {
    return sorted(least);
  }

  private static List<Change> sorted(PriorityQueue<Change> changes) {
    var sorted = new ArrayList<>(changes);
    sorted.sort(order().reversed());
    return sorted;
  }
}
