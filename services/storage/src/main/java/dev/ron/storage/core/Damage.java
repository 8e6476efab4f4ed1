package dev.ron.storage.core;

import dev.ron.blake3.Address;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies that were found bad and are not healed yet, the last so many.
 *
 * <p>For an operator to look at, and for stores that remember nothing themselves. At the limit the
 * oldest is let go; a store with an index still knows it.
 *
 * <p>Threading: owned by DamageTracker, under its lock.
 */
public final class Damage {
  private final int objectsMax;
  private final Map<Address, Set<String>> homes = new LinkedHashMap<>();

  public Damage(int objectsMax) {
    this.objectsMax = objectsMax;
  }

  /** False if it was known. */
  public boolean add(Address address, String home) {
    boolean fresh = homes.computeIfAbsent(address, _ -> new HashSet<>()).add(home);
    if (homes.size() > objectsMax) {
      homes.remove(homes.keySet().iterator().next());
    }
    return fresh;
  }

  public void remove(Address address, String home) {
    homes.computeIfPresent(
        address,
        (_, ids) -> {
          ids.remove(home);
          return ids.isEmpty() ? null : ids;
        });
  }

  public void remove(Address address) {
    homes.remove(address);
  }

  public Set<String> homesOf(Address address) {
    return Set.copyOf(homes.getOrDefault(address, Set.of()));
  }

  public int objects() {
    return homes.size();
  }

  public List<Address> some(int max) {
    return homes.keySet().stream().limit(max).toList();
  }
}
