package dev.ron.gateway.admit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who holds how many places toward one pool, by line; one that holds none is not kept, so there are
 * at most as many as places.
 *
 * <p>Threading: thread-safe; each count changes in the map's own step for its key.
 */
public final class TenantPlaces {
  private final Map<String, Integer> held = new ConcurrentHashMap<>();

  void took(String line) {
    held.merge(line, 1, Integer::sum);
  }

  void left(String line) {
    held.computeIfPresent(line, (_, count) -> count > 1 ? count - 1 : null);
  }

  public int of(String line) {
    return held.getOrDefault(line, 0);
  }

  public Collection<Integer> all() {
    return List.copyOf(held.values());
  }
}
