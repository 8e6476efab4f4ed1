package dev.ron.kernel.lock;

import dev.ron.kernel.registry.Registry;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A lock with a name and a rank, held only for the length of a lambda.
 *
 * <p>There is no {@code lock()} to forget the {@code unlock()} of, and the lambda is a visible
 * fence around what runs under the lock: short, in memory, calling nothing that can wait. It is not
 * reentrant on purpose; needing that means the owner is unclear.
 *
 * <p>Threading: thread-safe; the order between locks is {@link LockOrder}'s.
 */
public final class RankedLock {
  private final String name;
  private final int rank;
  private final ReentrantLock lock = new ReentrantLock();

  public RankedLock(Registry registry, String name, int rank) {
    this.name = name;
    this.rank = rank;
    registry.lock(name, rank);
  }

  public void run(Runnable critical) {
    call(
        () -> {
          critical.run();
          return true;
        });
  }

  public <T> T call(Supplier<T> critical) {
    LockOrder.taken(this);
    lock.lock();
    try {
      return critical.get();
    } finally {
      lock.unlock();
      LockOrder.released(this);
    }
  }

  public String name() {
    return name;
  }

  public int rank() {
    return rank;
  }
}
