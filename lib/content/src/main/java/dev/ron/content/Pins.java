package dev.ron.content;

import dev.ron.blake3.Address;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects that must not be deleted, with how often each is pinned; and objects that are being
 * deleted, where that takes a while.
 *
 * <p>Threading: thread-safe.
 */
public final class Pins {
  /** In place of a count. */
  private static final int DELETING = -1;

  private final ConcurrentHashMap<Address, Integer> counts = new ConcurrentHashMap<>();

  public void add(Address address) {
    counts.merge(address, 1, Math::addExact);
  }

  public void remove(Address address) {
    counts.computeIfPresent(
        address, (_, count) -> count == 1 ? null : count == DELETING ? count : count - 1);
  }

  public boolean has(Address address) {
    return counts.getOrDefault(address, 0) > 0;
  }

  /** Adds one, unless the object is being deleted. */
  public boolean addUnlessDeleting(Address address) {
    return counts.merge(address, 1, (old, one) -> old == DELETING ? old : Math.addExact(old, one))
        != DELETING;
  }

  /** False if it is pinned, or another delete is under way; else to be followed by the end. */
  public boolean beginDelete(Address address) {
    return counts.putIfAbsent(address, DELETING) == null;
  }

  public void endDelete(Address address) {
    counts.remove(address, DELETING);
  }
}
