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
 * clients cannot push authentic ones out. The token itself is not kept.
 *
 * <p>Threading: thread-safe. Entries are immutable and published by the array's volatile writes; a
 * lost race loses one entry.
 */
final class VerificationCache {
  private final AtomicReferenceArray<Entry> slots;
  private final AtomicReferenceArray<byte[]> forgeries;
  private final Duration life;

  /** What was found out, and the span of time in which it may be relied on. */
  private static final class Entry {
    final byte[] hash;
    final Capability capability;
    final Instant from;
    final Instant until;

    Entry(byte[] hash, Capability capability, Instant from, Instant until) {
      this.hash = hash.clone();
      this.capability = capability;
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
    this.forgeries = new AtomicReferenceArray<>(slotCount);
    this.life = life;
  }

  Optional<Capability> find(byte[] hash, Instant now) {
    Entry entry = entry(hash);
    // Before `from` the calendar was set back: what was learned later is not yet known.
    return entry != null && !now.isBefore(entry.from) && now.isBefore(entry.until)
        ? Optional.of(entry.capability)
        : Optional.empty();
  }

  /** As {@link #find}, also when the cache time is over; what was found then is to be checked. */
  Optional<Capability> recall(byte[] hash, Instant now) {
    Entry entry = entry(hash);
    return entry != null && now.isBefore(entry.capability.endsAt())
        ? Optional.of(entry.capability)
        : Optional.empty();
  }

  private @Nullable Entry entry(byte[] hash) {
    Entry entry = slots.get(slot(hash));
    return entry != null && SignatureChain.same(entry.hash, hash) ? entry : null;
  }

  /** Remembers until the cache time, the key's end or the token's expiry, whichever comes first. */
  void keep(byte[] hash, Capability capability, Instant now) {
    Instant until = now.plus(life);
    if (capability.endsAt().isBefore(until)) {
      until = capability.endsAt();
    }
    if (now.isBefore(until)) {
      slots.set(slot(hash), new Entry(hash, capability, now, until));
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
