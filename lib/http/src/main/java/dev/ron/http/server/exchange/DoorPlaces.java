package dev.ron.http.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.tenant.FairQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * How many requests a door works on at a time while tenants contend for it.
 *
 * <p>Shares by weight come from a line that never runs empty. A turn ends where its request waits
 * for a shard or a flush, so without a bound all requests of all tenants are beyond their turns, a
 * whole flush's worth comes back at once, and event loops, threads and shards work in the order of
 * connections. So a request has a place until it is answered, or until it waits for what is not
 * this node's work; the others wait here, in a {@link FairQueue}.
 *
 * <p>A tenant that has no request here begins one at once, beside the places, for there is none of
 * its own to wait for. While one tenant is alone, nothing is bounded: there is no share to keep,
 * and a flush is the cheaper the more requests it serves.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it, and is a leaf. What is told that it may
 * begin runs outside of it. A request that finds its tenant alone is not counted and takes no lock;
 * one that looks at the moment when another tenant comes is over soon.
 */
public final class DoorPlaces {
  /** Sweeps for which it is remembered that more than one tenant asked. */
  private static final int CONTENDED_SWEEPS = 10;

  /** Sweeps after which a place is taken for over, as where a disk hangs. */
  private static final int HELD_SWEEPS_MAX = 100;

  private final int places;
  private final int besides;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final FairQueue<Place> line;

  @GuardedBy("lock") private final Set<Place> held = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Requests of each tenant that have a place or wait for one. */
  @GuardedBy("lock") private final Map<String, Integer> here = new HashMap<>();

  @GuardedBy("lock") private int heldBesides;

  /** Written under the lock, as is {@code contended}. */
  private volatile String last = "";

  private volatile int contended;

  @GuardedBy("lock") private boolean swept;

  /**
   * @param places of requests that are worked on, half as many more for tenants that have none
   * @param weights of tenants
   */
  public DoorPlaces(int places, ToIntFunction<String> weights) {
    this.places = places;
    this.besides = Math.max(1, places / 2);
    this.line = new FairQueue<>(weights);
  }

  /** One request's; ends once, by any thread. */
  public final class Place {
    private final String tenant;
    private final Consumer<Place> granted;
    private volatile boolean began;
    private boolean counted = true;
    private boolean over;
    private boolean beside;
    private int sweeps;

    private Place(String tenant, Consumer<Place> granted) {
      this.tenant = tenant;
      this.granted = granted;
    }

    /** False while it stands in line; only then {@link #needsSweep} has to be asked. */
    public boolean began() {
      return began;
    }

    /** It is answered, or waits for another than this node; one that still waits gets none. */
    public void end() {
      if (!counted) {
        return;
      }
      List<Place> next;
      lock.lock();
      try {
        release(this);
        next = next();
      } finally {
        lock.unlock();
      }
      tell(next);
    }
  }

  /**
   * @param granted is told when the tenant's request may begin, by any thread, perhaps before this
   *     returns; it must not wait
   */
  public Place take(String tenant, Consumer<Place> granted) {
    var place = new Place(tenant, granted);
    boolean free;
    if (contended == 0 && tenant.equals(last)) {
      place.counted = false; // a tenant alone pays for no lock
      place.began = true;
      granted.accept(place);
      return place;
    }
    lock.lock();
    try {
      boolean alone = here.merge(tenant, 1, Integer::sum) == 1;
      if (here.size() > 1 || !(last.isEmpty() || last.equals(tenant))) {
        contended = CONTENDED_SWEEPS;
      }
      last = tenant;
      boolean room = line.size() == 0 && hasRoom();
      place.beside = !room && alone && heldBesides < besides;
      free = room || place.beside;
      if (free) {
        begin(place);
      } else {
        line.add(tenant, 1, place);
      }
    } finally {
      lock.unlock();
    }
    if (free) {
      granted.accept(place);
    }
    return place;
  }

  @GuardedBy("lock") private boolean hasRoom() {
    return contended == 0 || held.size() - heldBesides < places;
  }

  @GuardedBy("lock") private void begin(Place place) {
    place.began = true;
    held.add(place);
    heldBesides += place.beside ? 1 : 0;
  }

  @GuardedBy("lock") private void release(Place place) {
    if (!place.over) {
      place.over = true;
      here.computeIfPresent(place.tenant, (_, count) -> count == 1 ? null : count - 1);
      if (held.remove(place) && place.beside) {
        heldBesides--;
      }
    }
  }

  @GuardedBy("lock") private List<Place> next() {
    List<Place> next = List.of();
    while (line.size() > 0 && hasRoom()) {
      Place first = line.poll(place -> !place.over);
      if (first == null) {
        break;
      }
      begin(first);
      next = next.isEmpty() ? new ArrayList<>() : next;
      next.add(first);
    }
    return next;
  }

  /** Requests that have a place. */
  int held() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }

  private static void tell(List<Place> next) {
    next.forEach(place -> place.granted.accept(place));
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
   * Lets time pass: places end that were held for too long, and tenants that have gone are
   * forgotten.
   *
   * @return false if none waits, and no further sweep is needed
   */
  public boolean sweep() {
    List<Place> next;
    boolean more;
    lock.lock();
    try {
      contended = here.size() > 1 ? CONTENDED_SWEEPS : Math.max(0, contended - 1);
      for (Place place : List.copyOf(held)) {
        if (++place.sweeps > HELD_SWEEPS_MAX) {
          release(place);
        }
      }
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
