package dev.ron.erasure;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Blocks to compute into, one array per shard, borrowed for the length of a call.
 *
 * <p>A pool and not a thread-local: there may be a million virtual threads, but no more than the
 * processors' number of them is inside a computation at any time. A call that finds the pool empty
 * allocates; one that finds it full drops what it brought.
 *
 * <p>Threading: thread-safe. A slot is emptied and filled by one atomic exchange each, so that no
 * two borrowers hold the same blocks.
 */
final class ScratchPool {
  /** Keeps a 6+3 set near the first-level cache, and 255 shards within 1 MiB. */
  static final int BLOCK_BYTES = 4096;

  private final int shards;
  private final AtomicReferenceArray<byte @Nullable [][]> slots;

  ScratchPool(int shards) {
    this.shards = shards;
    this.slots = new AtomicReferenceArray<>(Runtime.getRuntime().availableProcessors());
  }

  byte[][] borrow() {
    for (int slot = 0; slot < slots.length(); slot++) {
      byte[][] blocks = slots.getAndSet(slot, null);
      if (blocks != null) {
        return blocks;
      }
    }
    return new byte[shards][BLOCK_BYTES];
  }

  void giveBack(byte[][] blocks) {
    for (int slot = 0; slot < slots.length(); slot++) {
      if (slots.compareAndSet(slot, null, blocks)) {
        return;
      }
    }
  }
}
