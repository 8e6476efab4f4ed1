package dev.ron.capability;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Tokens whose signature was checked a moment ago, by the SHA-256 of their bytes.
 *
 * <p>Each hash has one slot, and the later of two tokens that share it stays: a collision costs a
 * chain of HMACs and never a wrong answer, since the whole hash is compared. Forged tokens have
 * slots of their own, so that one that is sent over and over costs its HMACs once and untrusted
 * clients cannot push authentic ones out. The token itself is not kept; of a key pair, the secret
 * is.
 *
 * <p>Threading: thread-safe. Entries are immutable and published by the array's volatile writes; a
 * lost race loses one entry.
 */
final class VerificationCache {
  private final AtomicReferenceArray<Entry<Capability>> slots;
  private final AtomicReferenceArray<Entry<KeyPair.Found>> pairs;
  private final AtomicReferenceArray<byte[]> forgeries;
  private final Duration life;

  /** What was found out, and the span of time in which it may be relied on. */
  private static final class Entry<T> {
    final byte[] hash;
    final T found;
    final Instant from;
    final Instant until;

    Entry(byte[] hash, T found, Instant from, Instant until) {
      this.hash = hash.clone();
      this.found = found;
      this.from = from;
      this.until = until;
    }
  }

  VerificationCache(int slotCount, Duration life) {
    if (Integer.bitCount(slotCount) != 1) {
      throw new IllegalArgumentException("slotCount must be a power of two, not " + slotCount);
    }
    if (life.isNegative()) {
      throw new IllegalArgumentException("cache life of " + life);
    }
    this.slots = new AtomicReferenceArray<>(slotCount);
    this.pairs = new AtomicReferenceArray<>(slotCount);
    this.forgeries = new AtomicReferenceArray<>(slotCount);
    this.life = life;
  }

  Optional<Capability> find(byte[] hash, Instant now) {
    return find(slots, hash, now);
  }

  /** As {@link #find}, also when the cache time is over; what was found then is to be checked. */
  Optional<Capability> recall(byte[] hash, Instant now) {
    Entry<Capability> entry = entry(slots, hash);
    return entry != null && now.isBefore(entry.found.endsAt())
        ? Optional.of(entry.found)
        : Optional.empty();
  }

  /** Whether a key pair is known, also one that is to be checked again. */
  boolean recallPair(byte[] hash, Instant now) {
    Entry<KeyPair.Found> entry = entry(pairs, hash);
    return entry != null && now.isBefore(entry.found.capability().endsAt());
  }

  /** A key pair, by the hash of its public half. */
  Optional<KeyPair.Found> findPair(byte[] hash, Instant now) {
    return find(pairs, hash, now);
  }

  private <T> Optional<T> find(AtomicReferenceArray<Entry<T>> from, byte[] hash, Instant now) {
    Entry<T> entry = entry(from, hash);
    // Before `from` the calendar was set back: what was learned later is not yet known.
    return entry != null && !now.isBefore(entry.from) && now.isBefore(entry.until)
        ? Optional.of(entry.found)
        : Optional.empty();
  }

  private <T> @Nullable Entry<T> entry(AtomicReferenceArray<Entry<T>> from, byte[] hash) {
    Entry<T> entry = from.get(slot(hash));
    return entry != null && SignatureChain.same(entry.hash, hash) ? entry : null;
  }

  /** Remembers until the cache time, the key's end or the token's expiry, whichever comes first. */
  void keep(byte[] hash, Capability capability, Instant now) {
    keep(slots, hash, capability, capability.endsAt(), now);
  }

  /** The same for a key pair; one that came from here is not remembered longer for that. */
  void keepPair(byte[] hash, KeyPair.Found found, Instant now) {
    Entry<KeyPair.Found> entry = pairs.get(slot(hash));
    if (entry == null || entry.found != found) {
      keep(pairs, hash, found, found.capability().endsAt(), now);
    }
  }

  private <T> void keep(
      AtomicReferenceArray<Entry<T>> in, byte[] hash, T found, Instant endsAt, Instant now) {
    Instant until = now.plus(life);
    if (endsAt.isBefore(until)) {
      until = endsAt;
    }
    if (now.isBefore(until)) {
      in.set(slot(hash), new Entry<>(hash, found, now, until));
    }
  }

  /** Whether the token's signature was found not to fit; that holds as long as the keys do. */
  boolean isForged(byte[] hash) {
    byte[] known = forgeries.get(slot(hash));
    return known != null && SignatureChain.same(known, hash);
  }

  void keepForged(byte[] hash) {
    forgeries.set(slot(hash), hash.clone());
  }

  private int slot(byte[] hash) {
    return ByteBuffer.wrap(hash).getInt() & (slots.length() - 1);
  }
}
