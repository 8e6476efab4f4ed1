package dev.ron.storage.reference;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.content.AddressKey;
import dev.ron.kernel.lock.LockOrder;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One change of an object's references at a time: what is decided from them stays true until it is
 * durable. A turn takes a few flushes and never waits for a client.
 *
 * <p>Threading: thread-safe; each stripe's {@code lock} guards its set, and is not held during a
 * turn.
 */
public final class AddressTurns {
  private static final int STRIPES = 64;

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final Time time;

  public AddressTurns(Time time) {
    this.time = time;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** A turn; ended by closing it. */
  public static final class Turn implements AutoCloseable {
    private final Stripe stripe;
    private final AddressKey key;

    private Turn(Stripe stripe, AddressKey key) {
      this.stripe = stripe;
      this.key = key;
    }

    @Override
    public void close() {
      stripe.leave(key);
    }
  }

  /** Null if the caller's deadline passes before it is its turn. */
  public @Nullable Turn take(AddressKey key) throws InterruptedException {
    LockOrder.assertNoneHeld("a turn");
    Stripe stripe = stripes[(int) (key.d() & (STRIPES - 1))];
    return stripe.enter(key, Deadline.current(), time) ? new Turn(stripe, key) : null;
  }

  /** Addresses that meet by chance wake each other up, and look again. */
  private static final class Stripe {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();

    @GuardedBy("lock") private final Set<AddressKey> busy = new HashSet<>();

    boolean enter(AddressKey key, Deadline deadline, Time time) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (!busy.add(key)) {
          if (!time.await(lock, free, deadline.at()) && busy.contains(key)) {
            return false;
          }
        }
        return true;
      } finally {
        lock.unlock();
      }
    }

    void leave(AddressKey key) {
      lock.lock();
      try {
        busy.remove(key);
        free.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
