package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Blocks that requests under way have written or want to refer to, and that no row names yet.
 *
 * <p>A block is pinned before it is looked up or stored, and until a row names it. The collector
 * deletes a block only if it is not pinned; a request that comes for it meanwhile waits until it is
 * gone, and then stores it again. So no name is given to bytes that are being deleted.
 *
 * <p>A block that is neither pinned nor named may be an orphan: its request died. It is one if it
 * was not pinned since it was first suspected, for a name is only given to a block that was pinned.
 *
 * <p>Threading: thread-safe; {@code lock} guards {@code pins}, {@code dying} and {@code suspects}.
 */
public final class BlockPins {
  private static final int SUSPECTS_MAX = 1 << 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition gone = lock.newCondition();
  private final Map<Address, Integer> pins = new HashMap<>();
  private final Set<Address> dying = new HashSet<>();
  private final Map<Address, Instant> suspects = new HashMap<>();

  /** Waits for a delete of this block that has begun, which takes as long as one flush. */
  public void pin(Address block) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (dying.contains(block)) {
        gone.await();
      }
      suspects.remove(block);
      pins.merge(block, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  public void unpin(Address block) {
    lock.lock();
    try {
      pins.computeIfPresent(block, (_, count) -> count == 1 ? null : count - 1);
    } finally {
      lock.unlock();
    }
  }

  /**
   * When a block that no row names was first seen so; empty if it is pinned, or if there are too
   * many to remember.
   */
  Optional<Instant> suspect(Address block, Instant now) {
    lock.lock();
    try {
      if (pins.containsKey(block)) {
        return Optional.empty();
      }
      if (suspects.size() < SUSPECTS_MAX) {
        suspects.putIfAbsent(block, now);
      }
      return Optional.ofNullable(suspects.get(block));
    } finally {
      lock.unlock();
    }
  }

  /** A row names it. */
  void acquit(Address block) {
    lock.lock();
    try {
      suspects.remove(block);
    } finally {
      lock.unlock();
    }
  }

  /** False if the block is pinned; else it cannot be pinned before {@link #endDelete}. */
  boolean beginDelete(Address block) {
    lock.lock();
    try {
      return !pins.containsKey(block) && dying.add(block);
    } finally {
      lock.unlock();
    }
  }

  /** The same, and false if it was pinned since it was suspected. */
  boolean beginDelete(Address block, Instant suspected) {
    lock.lock();
    try {
      return suspected.equals(suspects.get(block)) && beginDelete(block);
    } finally {
      lock.unlock();
    }
  }

  void endDelete(Address block) {
    lock.lock();
    try {
      dying.remove(block);
      suspects.remove(block);
      gone.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public int count() {
    lock.lock();
    try {
      return pins.size();
    } finally {
      lock.unlock();
    }
  }
}
