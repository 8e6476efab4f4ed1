package dev.ron.storage.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Objects that were hashed on their way out and are asked for often, in memory that only this
 * process can write. What is in it may leave without another hash.
 *
 * <p>An object comes in when it is read whole for the second time, so that a walk over everything
 * does not drive out what is hot. Memory is filled slab by slab; when all of it is used the oldest
 * slab goes with what is in it. A slab that a client still reads counts until it is done, so the
 * bound holds whatever clients do. What is older than {@code age} is hashed from the disk again:
 * that is how long a bit that flips in memory can go unseen.
 *
 * <p>It answers what an address means, not whether the object is still there or who may read it:
 * the caller has asked for both.
 *
 * <p>Threading: thread-safe; {@code lock} guards {@code slabs} and {@code seen}.
 */
public final class VerifiedMemory {
  /** The largest object, which is a block of the S3 door. */
  public static final int OBJECT_BYTES_MAX = 4 << 20;

  private static final int SLABS = 8;
  private static final int SEEN_MAX = 4096;

  private final Time time;
  private final Duration age;
  private final long slabBytes;
  private final Counter hits;
  private final Counter admitted;
  private final Counter evicted;
  private final ConcurrentHashMap<Address, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicInteger live = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final ArrayDeque<MemorySlab> slabs = new ArrayDeque<>();

  @GuardedBy("lock") private final LinkedHashSet<Address> seen = new LinkedHashSet<>();

  /** Where an object lies. */
  private record Entry(MemorySlab slab, long position, int length, Instant verified) {}

  private VerifiedMemory(Scope scope, long bytesMax, Duration age) {
    this.time = scope.time();
    this.age = age;
    this.slabBytes = bytesMax / SLABS;
    var metrics = scope.metrics();
    this.hits =
        metrics.counter("verified_memory_hits_total", "Reads answered from verified memory.");
    this.admitted =
        metrics.counter(
            "verified_memory_admitted_total", "Objects that came into verified memory.");
    this.evicted =
        metrics.counter(
            "verified_memory_evicted_total", "Objects that left verified memory for others.");
    metrics.sampled(
        "verified_memory_bytes",
        "Verified memory that is taken, with what clients still read.",
        sample -> sample.call((double) (live.get() * slabBytes)));
  }

  /**
   * Empty where it is switched off or the system has no such memory.
   *
   * @param bytesMax 0 switches it off
   */
  public static Optional<VerifiedMemory> of(Scope scope, long bytesMax, Duration age) {
    if (bytesMax == 0) {
      return Optional.empty();
    }
    var memory = new VerifiedMemory(scope, bytesMax, age);
    try {
      memory.probe();
      return Optional.of(memory);
    } catch (IOException e) {
      scope.log().warn("no verified memory", "why", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private void probe() throws IOException {
    MemorySlab.open(1, () -> {}).letGo();
  }

  /**
   * A range of an object, if all of it is here and was verified not too long ago.
   *
   * @param end the first byte that is not wanted, which may lie beyond the object's
   */
  Optional<MemoryLease> find(Address address, long from, long end) {
    Entry entry = entries.get(address);
    if (entry == null || from < 0 || from > entry.length()) {
      return Optional.empty();
    }
    if (time.now().isAfter(entry.verified().plus(age))) {
      entries.remove(address, entry);
      sighted(address);
      return Optional.empty();
    }
    if (!entry.slab().use()) {
      return Optional.empty();
    }
    hits.inc();
    long to = Math.min(end, entry.length());
    return Optional.of(
        new MemoryLease(entry.slab(), entry.position() + from, Math.max(0, to - from)));
  }

  /** Room for an object that is read whole; null if it is too large, too cold, or here already. */
  @Nullable MemoryFill begin(Address address, long length) {
    if (length <= 0
        || length > Math.min(OBJECT_BYTES_MAX, slabBytes)
        || entries.containsKey(address)
        || !sighted(address)) {
      return null;
    }
    MemoryFill fill = reserve(address, (int) length);
    return fill == null && enlarge() ? reserve(address, (int) length) : fill;
  }

  /** Room in the slab that is being filled; null if it has none. */
  private @Nullable MemoryFill reserve(Address address, int length) {
    lock.lock();
    try {
      MemorySlab slab = slabs.peekLast();
      long position = slab == null ? -1 : slab.reserve(length);
      return slab == null || position < 0 || !slab.use()
          ? null
          : new MemoryFill(this, address, slab, position, length);
    } finally {
      lock.unlock();
    }
  }

  /** Another slab to fill, in place of the oldest; it is opened while no lock is held. */
  private boolean enlarge() {
    if (!claimed()) {
      return false;
    }
    try {
      MemorySlab slab = MemorySlab.open(slabBytes, live::decrementAndGet);
      lock.lock();
      try {
        slabs.addLast(slab);
      } finally {
        lock.unlock();
      }
      return true;
    } catch (IOException _) {
      live.decrementAndGet();
      return false;
    }
  }

  /** Whether there may be one slab more; those that clients still read count. */
  private boolean claimed() {
    lock.lock();
    try {
      if (slabs.size() == SLABS) {
        drop(slabs.removeFirst());
      }
      if (live.get() >= SLABS) {
        return false;
      }
      live.incrementAndGet();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it was seen before; it has been from now on. */
  private boolean sighted(Address address) {
    lock.lock();
    try {
      boolean again = !seen.add(address);
      if (seen.size() > SEEN_MAX) {
        Iterator<Address> oldest = seen.iterator();
        oldest.next();
        oldest.remove();
      }
      return again;
    } finally {
      lock.unlock();
    }
  }

  /** What was hot comes back with its next read. */
  @GuardedBy("lock") private void drop(MemorySlab slab) {
    for (Address address : slab.addresses()) {
      Entry entry = entries.get(address);
      if (entry != null && entry.slab() == slab && entries.remove(address, entry)) {
        evicted.inc();
      }
    }
    slab.letGo();
  }

  void filled(Address address, MemorySlab slab, long position, int length, Instant verified) {
    lock.lock();
    try {
      if (slabs.contains(slab)) {
        slab.addresses().add(address);
        entries.put(address, new Entry(slab, position, length, verified));
        admitted.inc();
      }
    } finally {
      lock.unlock();
    }
  }

  Instant now() {
    return time.now();
  }

  /** A deleted object is not found any more; its bytes go with their slab. */
  void forget(Address address) {
    entries.remove(address);
  }

  public int objects() {
    return entries.size();
  }

  /** Taken now, with what clients still read. */
  public long bytes() {
    return live.get() * slabBytes;
  }
}
