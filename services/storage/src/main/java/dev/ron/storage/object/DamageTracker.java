package dev.ron.storage.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.Damage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What was found to be bad, counted, told, and marked in the store that has it.
 *
 * <p>The store's mark is what counts, see {@link Volumes#badHomes}: this book has the last so many.
 *
 * <p>Threading: thread-safe; {@code lock} guards what is known.
 */
public final class DamageTracker {
  private static final int OBJECTS_MAX = 4096;

  private final Broadcast<StorageEvent> events;
  private final StorageMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Damage damage = new Damage(OBJECTS_MAX);

  public DamageTracker(Broadcast<StorageEvent> events, StorageMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  public Broadcast<StorageEvent> events() {
    return events;
  }

  /** A copy could not be read as it was stored. */
  public void found(Address address, Volume volume, String reason) {
    volume.store().judged(address, false);
    metrics.integrityFailures().labelValues(reason).inc();
    boolean fresh;
    lock.lock();
    try {
      fresh = damage.add(address, volume.id());
    } finally {
      lock.unlock();
    }
    if (fresh) {
      events.publish(new StorageEvent.Damaged(address, volume.id(), reason));
    }
  }

  /** A copy was read to its end and is what was stored: what was wrong with it was the disk's. */
  public void sound(Address address, Volume volume) {
    if (!volume.store().sound(address)) {
      volume.store().judged(address, true);
    }
    healed(address, volume.id());
  }

  /** A good copy was written. */
  public void healed(Address address, String home) {
    lock.lock();
    try {
      damage.remove(address, home);
    } finally {
      lock.unlock();
    }
  }

  public void deleted(Address address) {
    lock.lock();
    try {
      damage.remove(address);
    } finally {
      lock.unlock();
    }
  }

  /** Homes whose copy is bad. */
  Set<String> homesOf(Address address) {
    lock.lock();
    try {
      return damage.homesOf(address);
    } finally {
      lock.unlock();
    }
  }

  /** Objects with a bad copy. */
  public int objects() {
    lock.lock();
    try {
      return damage.objects();
    } finally {
      lock.unlock();
    }
  }

  public List<Address> some(int max) {
    lock.lock();
    try {
      return damage.some(max);
    } finally {
      lock.unlock();
    }
  }
}
