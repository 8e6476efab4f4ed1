package dev.ron.kernel.tenant;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Whose request begins its work next at a door.
 *
 * <p>Virtual threads run in the order they were started, so where the processors are what is short,
 * a tenant with a hundred requests makes each other tenant wait for a hundred. Here a few begin at
 * a time, and those that wait take turns by weight, as in {@link FairQueue}.
 *
 * <p>A turn is for the work before the first wait: it ends when its thread begins to wait for
 * anything, or is done. So a long poll, a slow body or a flush holds none, and a few turns keep
 * every processor busy. One that neither ends nor waits is taken for over by the second {@link
 * #sweep} that meets it.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it, and is a leaf. What is told that it may
 * begin runs outside of it.
 */
public final class TenantTurns {
  private final int places;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final FairQueue<Turn> line;

  @GuardedBy("lock") private final Set<Turn> held = Collections.newSetFromMap(new IdentityHashMap<>());

  @GuardedBy("lock") private boolean swept;

  /**
   * @param places that begin at a time
   * @param weights of tenants
   */
  public TenantTurns(int places, ToIntFunction<String> weights) {
    this.places = places;
    this.line = new FairQueue<>(weights);
  }

  /** One request's; ends once, by any thread. */
  public final class Turn {
    private final Consumer<Turn> granted;
    private volatile boolean over;
    private volatile boolean began;
    private boolean seen;

    private Turn(Consumer<Turn> granted) {
      this.granted = granted;
    }

    /** False while it stands in line; only then {@link #needsSweep} has to be asked. */
    public boolean began() {
      return began;
    }

    /** It waits or is done; one that still waits for its turn gets none. */
    public void end() {
      if (!over) {
        over = true;
        tell(ended(this));
      }
    }
  }

  /**
   * @param granted is told when it is the tenant's turn, by any thread, perhaps before this
   *     returns; it must not wait
   */
  public Turn take(String tenant, Consumer<Turn> granted) {
    var turn = new Turn(granted);
    boolean free;
    lock.lock();
    try {
      free = held.size() < places && line.size() == 0;
      if (free) {
        begin(turn);
      } else {
        line.add(tenant, 1, turn);
      }
    } finally {
      lock.unlock();
    }
    if (free) {
      granted.accept(turn);
    }
    return turn;
  }

  private List<Turn> ended(Turn turn) {
    lock.lock();
    try {
      return held.remove(turn) ? next() : List.of();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private List<Turn> next() {
    List<Turn> next = new ArrayList<>();
    while (held.size() < places) {
      Turn first = line.poll(turn -> !turn.over);
      if (first == null) {
        break;
      }
      begin(first);
      next.add(first);
    }
    return next;
  }

  @GuardedBy("lock") private void begin(Turn turn) {
    turn.began = true;
    held.add(turn);
  }

  private static void tell(List<Turn> next) {
    next.forEach(turn -> turn.granted.accept(turn));
  }

  /** Whether {@link #sweep} is to be called from now on, by the caller, until it says otherwise. */
  public boolean needsSweep() {
    lock.lock();
    try {
      boolean begins = line.size() > 0 && !swept;
      swept = swept || begins;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes turns for over that were held at the last sweep too.
   *
   * @return false if none waits, and no further sweep is needed
   */
  public boolean sweep() {
    List<Turn> next;
    boolean more;
    lock.lock();
    try {
      held.removeIf(turn -> turn.seen);
      held.forEach(turn -> turn.seen = true);
      next = next();
      more = line.size() > 0;
      swept = more;
    } finally {
      lock.unlock();
    }
    tell(next);
    return more;
  }
}
