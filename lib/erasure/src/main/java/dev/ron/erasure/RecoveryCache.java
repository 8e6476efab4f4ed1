package dev.ron.erasure;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the {@link Combination} of each loss pattern lately met.
 *
 * <p>Direct mapped: a pattern has one slot, and a newcomer evicts the one before it. Losses come in
 * runs of the same pattern (a disk dies, all its shards are gone), so more is not needed; a hit
 * allocates nothing and takes no lock. A slot holds at most 16 KiB of coefficients (127 x 128).
 *
 * <p>Threading: thread-safe. Entries are immutable and published by the atomic array; two threads
 * that miss together solve the same equations twice and either result may stay.
 */
final class RecoveryCache {
  /** A power of two; bounds the memory at 2 MiB for the largest matrix. */
  static final int SLOTS = 128;

  private final CodingMatrix matrix;
  private final AtomicReferenceArray<@Nullable Entry> slots = new AtomicReferenceArray<>(SLOTS);

  RecoveryCache(CodingMatrix matrix) {
    this.matrix = matrix;
  }

  Combination recovery(ShardSet present, ShardSet wanted) {
    int slot = slot(present, wanted);
    Entry entry = slots.get(slot);
    if (entry != null && entry.present.equals(present) && entry.wanted.equals(wanted)) {
      return entry.combination;
    }
    Combination solved = matrix.recovery(present, wanted);
    slots.set(slot, new Entry(present, wanted, solved));
    return solved;
  }

  private static int slot(ShardSet present, ShardSet wanted) {
    int hash = (present.hashCode() * 31 + wanted.hashCode()) * 0x9e3779b9;
    return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(SLOTS));
  }

  private record Entry(ShardSet present, ShardSet wanted, Combination combination) {}
}
