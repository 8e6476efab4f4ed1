package dev.ron.capability;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Tokens whose signature was checked a moment ago, by the SHA-256 of their bytes.
 *
 * <p>Each hash has one slot, and the later of two tokens that share it stays: a collision costs a
 * chain of HMACs and never a wrong answer, since the whole hash is compared. Only authentic tokens
 * get in, so strangers cannot push others out. The token itself is not kept.
 *
 * <p>Threading: thread-safe. Entries are immutable and published by the array's volatile writes; a
 * lost race loses one entry.
 */
final class VerificationCache {
  private final AtomicReferenceArray<Entry> slots;
  private final Duration life;

  /** What was found out, and the span of time in which it may be relied on. */
  private static final class Entry {
    final byte[] hash;
    final Authentic authentic;
    final Instant from;
    final Instant until;

    Entry(byte[] hash, Authentic authentic, Instant from, Instant until) {
      this.hash = hash.clone();
      this.authentic = authentic;
      this.from = from;
      this.until = until;
    }
  }

  /** An authentic token: its signature fits and its key was accepted. */
  record Authentic(TokenId id, Allowance allowance, Instant keyEndsAt) {}

  VerificationCache(int slotCount, Duration life) {
    if (Integer.bitCount(slotCount) != 1) {
      throw new IllegalArgumentException("slotCount must be a power of two, not " + slotCount);
    }
    if (life.isNegative()) {
      throw new IllegalArgumentException("cache life of " + life);
    }
    this.slots = new AtomicReferenceArray<>(slotCount);
    this.life = life;
  }

  Optional<Authentic> find(byte[] hash, Instant now) {
    Entry entry = slots.get(slot(hash));
    // Before `from` the calendar was set back: what was learned later is not yet known.
    boolean usable =
        entry != null
            && !now.isBefore(entry.from)
            && now.isBefore(entry.until)
            && SignatureChain.same(entry.hash, hash);
    return usable ? Optional.of(entry.authentic) : Optional.empty();
  }

  /** Remembers until the cache time, the key's end or the token's expiry, whichever comes first. */
  void keep(byte[] hash, Authentic authentic, Instant now) {
    Instant until = authentic.allowance.endsBy(now.plus(life));
    if (authentic.keyEndsAt.isBefore(until)) {
      until = authentic.keyEndsAt;
    }
    if (now.isBefore(until)) {
      slots.set(slot(hash), new Entry(hash, authentic, now, until));
    }
  }

  private int slot(byte[] hash) {
    return ByteBuffer.wrap(hash).getInt() & (slots.length() - 1);
  }
}
