package dev.ron.storage.cluster.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this node has, sorted by the nodes it shares it with in one node's view.
 *
 * <p>One pass over all objects answers for all nodes, and is kept for a moment: a comparison asks
 * several times.
 *
 * <p>Threading: thread-safe; {@code lock} guards which passes are kept and which are under way, and
 * is not held while one is made. Requests for the same one wait for it.
 */
public final class LocalInventory {
  private static final int PAGE = 1000;
  private static final int PASSES_MAX = 4;
  private static final Duration KEPT = Duration.ofSeconds(1);

  /** The node that asks gives up then. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final String self;
  private final Volumes whole;
  private final CodedIndex index;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  @GuardedBy("lock") private final Map<Key, Pass> passes = new LinkedHashMap<>();

  @GuardedBy("lock") private final Set<Key> underWay = new HashSet<>();

  private record Key(ClusterNode.Kind kind, ClusterMap view, int shards) {}

  /** What is shared with each node, and what belongs to others altogether. */
  public record Pass(
      Instant made, Map<String, RangeDigests> shared, List<Inventory.Listed> surplus) {}

  LocalInventory(String self, Volumes whole, CodedIndex index, Time time) {
    this.self = self;
    this.whole = whole;
    this.index = index;
    this.time = time;
  }

  RangeDigests shared(ClusterNode.Shared asked) throws InterruptedException {
    return pass(asked.kind(), asked.view(), asked.shards(), true)
        .shared()
        .getOrDefault(asked.with(), RangeDigests.of(List.of()));
  }

  /**
   * @param kept whether one that was made a moment ago will do
   */
  public Pass pass(ClusterNode.Kind kind, ClusterMap view, int shards, boolean kept)
      throws InterruptedException {
    var key = new Key(kind, view, shards);
    if (kept) {
      Optional<Pass> before = keptOrBegun(key);
      if (before.isPresent()) {
        return before.get();
      }
    }
    Pass made = null;
    try {
      made = kind == ClusterNode.Kind.OBJECT ? objects(view) : coded(view, shards);
      return made;
    } finally {
      end(key, made, kept);
    }
  }

  /** One that is kept or being made by another; if there is none, this caller makes it. */
  private Optional<Pass> keptOrBegun(Key key) throws InterruptedException {
    Instant until = time.now().plus(WAIT);
    lock.lockInterruptibly();
    try {
      boolean waits = true;
      while (waits) {
        Instant now = time.now();
        passes.values().removeIf(pass -> pass.made().plus(KEPT).isBefore(now));
        Pass before = passes.get(key);
        if (before != null) {
          return Optional.of(before);
        }
        if (underWay.add(key)) {
          return Optional.empty();
        }
        waits = time.await(lock, ended, until);
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void end(Key key, @Nullable Pass made, boolean shared) {
    lock.lock();
    try {
      if (shared) {
        underWay.remove(key);
      }
      if (made != null) {
        passes.put(key, made);
        if (passes.size() > PASSES_MAX) {
          passes.remove(passes.keySet().iterator().next());
        }
      }
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Pass objects(ClusterMap view) {
    var sorted = new Sorted();
    Address after = null;
    List<ContentStat> page;
    do {
      page = whole.list(after, PAGE);
      for (ContentStat stat : page) {
        after = stat.address();
        if (good(whole, after)) {
          sorted.add(stat.address(), stat.sizeBytes(), view.targets(after));
        }
      }
    } while (!page.isEmpty());
    return sorted.pass(time.now());
  }

  private Pass coded(ClusterMap view, int shards) {
    var sorted = new Sorted();
    for (Inventory.Listed each : index.listed()) {
      sorted.add(
          each.address(),
          each.sizeBytes(),
          view.shards(each.address(), shards).stream().distinct().toList());
    }
    return sorted.pass(time.now());
  }

  /** There, and not known to be bad. */
  public boolean good(Volumes volumes, Address address) {
    Set<String> bad = volumes.badHomes(address);
    for (Volume volume : volumes.all()) {
      if (volume.home().takesReads()
          && !bad.contains(volume.id())
          && volume.store().contains(address)) {
        return true;
      }
    }
    return false;
  }

  private final class Sorted {
    private final Map<String, List<Inventory.Listed>> shared = new HashMap<>();
    private final List<Inventory.Listed> surplus = new ArrayList<>();

    void add(Address address, long sizeBytes, List<String> targets) {
      var listed = new Inventory.Listed(address, sizeBytes);
      if (!targets.contains(self)) {
        surplus.add(listed);
        return;
      }
      for (String other : targets) {
        if (!other.equals(self)) {
          shared.computeIfAbsent(other, _ -> new ArrayList<>()).add(listed);
        }
      }
    }

    Pass pass(Instant now) {
      Map<String, RangeDigests> digests = new HashMap<>();
      shared.forEach((node, listed) -> digests.put(node, RangeDigests.of(listed)));
      return new Pass(now, digests, List.copyOf(surplus));
    }
  }
}
