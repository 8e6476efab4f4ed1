package dev.ron.content;

import dev.ron.blake3.Address;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who must not be deleted, and how many say so.
 *
 * <p>Threading: thread-safe.
 */
final class Pins {
  private final ConcurrentHashMap<Address, Integer> counts = new ConcurrentHashMap<>();

  void add(Address address) {
    counts.merge(address, 1, Math::addExact);
  }

  void remove(Address address) {
    counts.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
  }

  boolean has(Address address) {
    return counts.containsKey(address);
  }
}
