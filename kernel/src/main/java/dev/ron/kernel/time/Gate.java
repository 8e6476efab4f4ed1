package dev.ron.kernel.time;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens once and stays open; any thread can wait for it.
 *
 * <p>A latch of one whose waits follow the injected {@link Time}, which the JDK's latch cannot.
 *
 * <p>Threading: thread-safe; {@code lock} guards the opening.
 */
public final class Gate {
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private volatile boolean open;

  public Gate(Time time) {
    this.time = time;
  }

  public void open() {
    lock.lock();
    try {
      open = true;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean isOpen() {
    return open;
  }

  /** True if it opened before the deadline. */
  public boolean await(Deadline deadline) throws InterruptedException {
    if (open) {
      return true;
    }
    lock.lockInterruptibly();
    try {
      while (!open && time.await(lock, opened, deadline.at())) {
        // woken without the gate being open: wait for the rest of the time
      }
      return open;
    } finally {
      lock.unlock();
    }
  }
}
