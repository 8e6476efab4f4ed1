package dev.ron.capability;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The keys of a node: one that signs, and retired ones whose tokens are still accepted for a grace.
 *
 * <p>Without the grace a rotation would cut off every holder at once, and operators would not
 * rotate.
 *
 * <p>Threading: immutable.
 */
public final class KeyRing {
  /** More retired keys than this means that rotation outruns its own grace. */
  public static final int KEYS_MAX = 64;

  private final SigningKey active;
  private final Map<String, SigningKey> keys;

  /** The active key has no end; every retired key has one. */
  public KeyRing(SigningKey active, Collection<SigningKey> retired) {
    if (active.until() != null) {
      throw new IllegalArgumentException("the active key " + active.id() + " has an end");
    }
    if (retired.size() >= KEYS_MAX) {
      throw new IllegalArgumentException("a ring holds at most " + KEYS_MAX + " keys");
    }
    var byId = new LinkedHashMap<String, SigningKey>();
    byId.put(active.id(), active);
    for (SigningKey key : retired) {
      if (key.until() == null) {
        throw new IllegalArgumentException("the retired key " + key.id() + " has no end");
      }
      if (byId.put(key.id(), key) != null) {
        throw new IllegalArgumentException("key " + key.id() + " is there twice");
      }
    }
    this.active = active;
    this.keys = Map.copyOf(byId);
  }

  /** A ring of one new key; {@code random} is a {@code SecureRandom} wherever tokens matter. */
  public static KeyRing generate(RandomGenerator random) {
    return new KeyRing(SigningKey.random(random), List.of());
  }

  /**
   * A new key signs from now on; the old one is accepted until {@code now + grace}, which should
   * not be less than the longest life of a token. Keys past their grace are dropped. A grace of
   * zero cuts off at once, for a key that leaked.
   */
  public KeyRing rotate(RandomGenerator random, Instant now, Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException("a grace of " + grace);
    }
    SigningKey next = SigningKey.random(random);
    while (keys.containsKey(next.id())) {
      next = SigningKey.random(random);
    }
    var retired = new ArrayList<SigningKey>();
    retired().stream().filter(key -> key.acceptedAt(now)).forEach(retired::add);
    retired.add(active.retiredAt(now.plus(grace)));
    return new KeyRing(next, retired);
  }

  /** The key that signs. */
  public SigningKey active() {
    return active;
  }

  /** The others, the one that ends last first. */
  public List<SigningKey> retired() {
    return keys.values().stream()
        .filter(key -> !key.id().equals(active.id()))
        .sorted(Comparator.comparing(SigningKey::endsAt).reversed().thenComparing(SigningKey::id))
        .toList();
  }

  /** The key with this id, if tokens signed with it are accepted at {@code now}. */
  Optional<SigningKey> accepted(String id, Instant now) {
    return Optional.ofNullable(keys.get(id)).filter(key -> key.acceptedAt(now));
  }

  @Override
  public String toString() {
    return "KeyRing[" + active + ", retired " + retired() + "]";
  }
}
