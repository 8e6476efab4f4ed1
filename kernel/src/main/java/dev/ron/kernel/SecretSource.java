package dev.ron.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that cannot be computed from any of the others: the system's secure generator, read 4 KiB
 * at a time because a call costs a microsecond or more.
 *
 * <p>A virtual thread lives for one request, so bytes drawn ahead are kept in slots and not by
 * thread. What was handed out is wiped from its block, so that the memory of a process does not
 * reveal old secrets.
 *
 * <p>Threading: thread-safe without a lock. A block is taken out of its slot by an atomic exchange
 * and put back when its user is done, so it has one user at a time; a user that finds a slot empty
 * makes a block, and of two blocks put back into one slot the first is dropped with its bytes.
 */
final class SecretSource implements RandomGenerator {
  private static final int BLOCK_BYTES = 4096;

  /** A power of two, several times the number of cores that may contend here. */
  private static final int SLOTS = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final SecureRandom random;
  private final AtomicReferenceArray<@Nullable Block> slots = new AtomicReferenceArray<>(SLOTS);

  SecretSource(SecureRandom random) {
    this.random = random;
  }

  @Override
  public long nextLong() {
    int slot = (int) Thread.currentThread().threadId() & (SLOTS - 1);
    Block block = slots.getAndSet(slot, null);
    if (block == null) {
      block = new Block();
    }
    long next = block.next(random);
    slots.setRelease(slot, block);
    return next;
  }

  /** Bytes that were not handed out yet. */
  private static final class Block {
    private final byte[] bytes = new byte[BLOCK_BYTES];
    private int at = BLOCK_BYTES;

    long next(SecureRandom random) {
      if (at == BLOCK_BYTES) {
        random.nextBytes(bytes);
        at = 0;
      }
      long next = (long) LONGS.get(bytes, at);
      LONGS.set(bytes, at, 0L);
      at += Long.BYTES;
      return next;
    }
  }
}
