package dev.ron.kernel.channel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.time.Time;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes one task, whatever it waits for: an item, a new value, or shutdown.
 *
 * <p>A ring is remembered until the next wait, so a ring between looking and waiting is not lost.
 *
 * <p>Threading: any thread rings, one task waits.
 */
public final class Bell {
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();

  @GuardedBy("lock") private boolean pending;

  private volatile boolean waiting;

  public Bell(Time time) {
    this.time = time;
  }

  public void ring() {
    lock.lock();
    try {
      pending = true;
      rung.signal();
    } finally {
      lock.unlock();
    }
  }

  /** True from {@link #arm} until {@link #disarm}, by the task before a step or by who rings it. */
  boolean waiting() {
    return waiting;
  }

  /** Says that the task is about to look at its inboxes and then wait. */
  public void arm() {
    waiting = true;
  }

  public void disarm() {
    waiting = false;
  }

  /** Waits until rung or until the time has come, and forgets the ring. */
  public void await(Instant until) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!pending && time.awaitAlone(lock, rung, until)) {
        // woken without a ring: wait for the rest of the time
      }
      pending = false;
    } finally {
      lock.unlock();
    }
  }
}
