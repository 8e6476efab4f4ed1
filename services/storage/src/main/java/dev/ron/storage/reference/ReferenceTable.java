package dev.ron.storage.reference;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.AddressKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Every reference that is stored, and the writes under way.
 *
 * <p>An object without any is the tenant {@code default}'s: so is all that was stored before there
 * were references, and so {@code default} needs none until another tenant stores the same bytes.
 *
 * <p>Threading: thread-safe; {@code lock} guards changes. Readers look without it: a tenant is an
 * owner before its reference can be seen, and no longer before it is gone.
 */
final class ReferenceTable {
  /** What is stored, or may be because storing it failed. */
  private final Map<AddressKey, Set<String>> stored = new ConcurrentHashMap<>();

  /** What was acknowledged: the part of {@code stored} that opens an object. */
  private final Map<String, NavigableSet<AddressKey>> owned = new ConcurrentHashMap<>();

  /** The tenants of addresses with one, so that a million of them share one set. */
  private final Map<String, Set<String>> single = new ConcurrentHashMap<>();

  /** References of writes that failed, and of deletes that are not through. */
  private final Set<AddressKey> unsettled = ConcurrentHashMap.newKeySet();

  /** The part of {@code stored} that failed, and is on some disk or on none. */
  private final Set<Doubt> doubts = ConcurrentHashMap.newKeySet();

  private record Doubt(String tenant, AddressKey key) {}

  /** Sizes of objects with references, for what tenants keep. */
  private final Map<AddressKey, Long> sizes = new ConcurrentHashMap<>();

  /** Objects with references whose sizes are not known yet, in the order of addresses. */
  private final NavigableSet<AddressKey> unsized = new ConcurrentSkipListSet<>();

  private final StoredBytes bytes;

  ReferenceTable(StoredBytes bytes) {
    this.bytes = bytes;
  }

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<AddressKey, Map<String, Integer>> writes = new HashMap<>();

  /** Whether what this tenant stored can be read by it. */
  boolean owns(String tenant, AddressKey key) {
    return acknowledged(tenant, key) || (tenant.equals(Owner.DEFAULT) && !stored.containsKey(key));
  }

  /** The same, by a reference that is stored. */
  boolean acknowledged(String tenant, AddressKey key) {
    NavigableSet<AddressKey> all = owned.get(tenant);
    return all != null && all.contains(key);
  }

  Set<String> stored(AddressKey key) {
    return stored.getOrDefault(key, Set.of());
  }

  /** The addresses that a tenant has references to, in their order. */
  NavigableSet<AddressKey> ownedBy(String tenant, @Nullable AddressKey after) {
    NavigableSet<AddressKey> all = owned.get(tenant);
    if (all == null) {
      return new TreeSet<>();
    }
    return after == null ? all : all.tailSet(after, false);
  }

  /** All names that references may be under. */
  Set<String> tenants() {
    var all = new HashSet<>(owned.keySet());
    all.add(Owner.DEFAULT);
    all.add(Reference.DROPPED);
    return all;
  }

  /** All addresses with references, in no order. */
  Set<AddressKey> all() {
    return stored.keySet();
  }

  /** Addresses at which something is left to be dropped, or to be deleted. */
  List<AddressKey> unsettled(int max) {
    return unsettled.stream().limit(max).toList();
  }

  boolean isUnsettled(AddressKey key) {
    return unsettled.contains(key);
  }

  /** A reference is on the disks, or may be. */
  void stored(String tenant, AddressKey key, boolean acknowledged) {
    lock.lock();
    try {
      if (acknowledged && !tenant.equals(Reference.DROPPED)) {
        own(tenant, key, false);
      }
      if (tenant.equals(Reference.DROPPED)) {
        unsettled.add(key);
      }
      stored.merge(key, one(tenant), ReferenceTable::union);
    } finally {
      lock.unlock();
    }
  }

  /** Storing it failed; or, if not, it did not after all. */
  void doubtful(String tenant, AddressKey key, boolean failed) {
    if (failed) {
      doubts.add(new Doubt(tenant, key));
    } else {
      doubts.remove(new Doubt(tenant, key));
    }
  }

  boolean isDoubtful(String tenant, AddressKey key) {
    return doubts.contains(new Doubt(tenant, key));
  }

  /** A reference is no longer on any disk. */
  void dropped(String tenant, AddressKey key) {
    lock.lock();
    try {
      disown(tenant, key);
      doubts.remove(new Doubt(tenant, key));
      Set<String> left = new HashSet<>(stored(key));
      left.remove(tenant);
      if (left.isEmpty()) {
        stored.remove(key);
        sizes.remove(key);
        unsized.remove(key);
      } else {
        stored.put(key, left.size() == 1 ? one(left.iterator().next()) : Set.copyOf(left));
      }
    } finally {
      lock.unlock();
    }
  }

  /** A tenant gave the object up; its reference is dropped next. */
  void disown(String tenant, AddressKey key) {
    lock.lock();
    try {
      NavigableSet<AddressKey> all = owned.get(tenant);
      if (all != null && all.remove(key)) {
        Long size = sizes.get(key);
        if (size != null) {
          bytes.lost(tenant, size);
        }
      }
      unsettled.add(key);
    } finally {
      lock.unlock();
    }
  }

  void settled(AddressKey key) {
    lock.lock();
    try {
      if (!stored(key).contains(Reference.DROPPED) && stale(key).isEmpty()) {
        unsettled.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  void writeBegan(String tenant, AddressKey key) {
    lock.lock();
    try {
      writes.computeIfAbsent(key, _ -> new HashMap<>()).merge(tenant, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  /**
   * It was acknowledged: its tenant is an owner, unless the object was deleted for all meanwhile.
   *
   * @param room that was reserved for it
   */
  void writeEnded(String tenant, AddressKey key, long size, StoredBytes.Room room) {
    lock.lock();
    try {
      ended(tenant, key);
      if (stored(key).contains(tenant)) {
        sized(key, size);
        if (own(tenant, key, room.isReserved())) {
          room.keep();
        }
      } else if (!stale(key).isEmpty()) {
        unsettled.add(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /** It was not: its reference may be one too many. */
  void writeFailed(String tenant, AddressKey key) {
    lock.lock();
    try {
      ended(tenant, key);
      if (!stale(key).isEmpty()) {
        unsettled.add(key);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private void ended(String tenant, AddressKey key) {
    Map<String, Integer> here = writes.getOrDefault(key, Map.of());
    if (here.merge(tenant, -1, Integer::sum) == 0) {
      here.remove(tenant);
    }
    if (here.isEmpty()) {
      writes.remove(key);
    }
  }

  /** True if it was no owner. */
  @GuardedBy("lock") private boolean own(String tenant, AddressKey key, boolean reserved) {
    if (!owned.computeIfAbsent(tenant, _ -> new ConcurrentSkipListSet<>()).add(key)) {
      return false;
    }
    Long size = sizes.get(key);
    if (size == null) {
      unsized.add(key);
    } else {
      bytes.gained(tenant, size, reserved);
    }
    return true;
  }

  /** The size of an object with references became known. */
  void sized(AddressKey key, long size) {
    lock.lock();
    try {
      if (stored.containsKey(key) && sizes.putIfAbsent(key, size) == null) {
        unsized.remove(key);
        for (String tenant : stored(key)) {
          if (acknowledged(tenant, key)) {
            bytes.gained(tenant, size, false);
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  NavigableSet<AddressKey> unsized() {
    return unsized;
  }

  boolean isWritten(AddressKey key) {
    lock.lock();
    try {
      return writes.containsKey(key);
    } finally {
      lock.unlock();
    }
  }

  boolean isWritten(String tenant, AddressKey key) {
    lock.lock();
    try {
      return writes.getOrDefault(key, Map.of()).containsKey(tenant);
    } finally {
      lock.unlock();
    }
  }

  /** Tenants with a reference that opens nothing and that no write is going to make good. */
  Set<String> stale(AddressKey key) {
    lock.lock();
    try {
      var stale = new HashSet<String>();
      for (String tenant : stored(key)) {
        if (!tenant.equals(Reference.DROPPED)
            && !acknowledged(tenant, key)
            && !isWritten(tenant, key)) {
          stale.add(tenant);
        }
      }
      return stale;
    } finally {
      lock.unlock();
    }
  }

  private Set<String> one(String tenant) {
    return single.computeIfAbsent(tenant, Set::of);
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    if (some.containsAll(more)) {
      return some;
    }
    var both = new HashSet<>(some);
    both.addAll(more);
    return Set.copyOf(both);
  }
}
