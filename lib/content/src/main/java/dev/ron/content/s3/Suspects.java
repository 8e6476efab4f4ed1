package dev.ron.content.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import java.util.LinkedHashSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Objects that were found damaged and may be written over; bounded, the oldest is forgotten and is
 * found again by its next reader.
 *
 * <p>Threading: thread-safe; {@code lock} guards the set.
 */
final class Suspects {
  private static final int MAX = 10_000;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final LinkedHashSet<Address> addresses = new LinkedHashSet<>();

  void add(Address address) {
    lock.lock();
    try {
      addresses.add(address);
      if (addresses.size() > MAX) {
        addresses.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  boolean has(Address address) {
    lock.lock();
    try {
      return addresses.contains(address);
    } finally {
      lock.unlock();
    }
  }

  void clear(Address address) {
    lock.lock();
    try {
      addresses.remove(address);
    } finally {
      lock.unlock();
    }
  }
}
