package dev.ron.kernel.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens once and stays open; any thread can wait for it.
 *
 * <p>A latch of one whose waits follow the injected {@link Time}, which the JDK's latch cannot.
 *
 * <p>Each wait has a condition of its own, so that the end of one wakes no other.
 *
 * <p>Threading: thread-safe; {@code lock} guards the opening.
 */
public final class Gate {
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final List<Condition> waits = new ArrayList<>(1);

  private volatile boolean open;

  public Gate(Time time) {
    this.time = time;
  }

  public void open() {
    lock.lock();
    try {
      open = true;
      waits.forEach(Condition::signal);
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
      return awaitAlone(lock.newCondition(), deadline);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private boolean awaitAlone(Condition mine, Deadline deadline) throws InterruptedException {
    waits.add(mine);
    try {
      while (!open && time.awaitAlone(lock, mine, deadline.at())) {
        // woken without the gate being open: wait for the rest of the time
      }
      return open;
    } finally {
      waits.remove(mine);
    }
  }
}
