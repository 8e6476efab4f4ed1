package dev.ron.storage.tier;

import dev.ron.blake3.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which objects were read or written lately.
 *
 * <p>Two generations: what is in one of them was touched within a rest's time to twice that. Beyond
 * a bound newcomers are not noted, which costs a read from farther away and nothing else.
 *
 * <p>Threading: thread-safe; {@link #turn} by one caller.
 */
final class RecentObjects {
  private static final int GENERATION_MAX = 1 << 18;

  private final Duration rest;
  private volatile Generations both = new Generations(make(), make());
  private Instant turned;

  private record Generations(Set<Address> now, Set<Address> before) {}

  RecentObjects(Duration rest, Instant now) {
    this.rest = rest;
    this.turned = now;
  }

  private static Set<Address> make() {
    return ConcurrentHashMap.newKeySet();
  }

  void add(Address address) {
    Set<Address> young = both.now();
    if (young.size() < GENERATION_MAX) {
      young.add(address);
    }
  }

  boolean has(Address address) {
    Generations seen = both;
    return seen.now().contains(address) || seen.before().contains(address);
  }

  /** Forgets what is too long ago. */
  void turn(Instant now) {
    if (!now.isBefore(turned.plus(rest))) {
      both = new Generations(make(), both.now());
      turned = now;
    }
  }
}
