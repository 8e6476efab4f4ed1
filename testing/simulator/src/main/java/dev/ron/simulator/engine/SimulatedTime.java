package dev.ron.simulator.engine;

import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One machine's time: the scheduler's, and a calendar that may be wrong.
 *
 * <p>Threading: owned by the scheduler's thread, on which all threads of the machine run.
 */
public final class SimulatedTime implements Time {
  /** One look in so many lets another thread go first. */
  private static final int YIELD_EVERY = 16;

  private final Scheduler scheduler;
  private final Boot boot;
  private final Duration skew;

  public SimulatedTime(Scheduler scheduler, Boot boot, Duration skew) {
    this.scheduler = scheduler;
    this.boot = boot;
    this.skew = skew;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // yielding to the seeded scheduler is the point
  public Instant now() {
    if (Thread.currentThread().isVirtual() && scheduler.order().nextInt(YIELD_EVERY) == 0) {
      Thread.yield();
    }
    return scheduler.now();
  }

  @Override
  public Instant wall() {
    return scheduler.now().plus(skew);
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's: only it knows the predicate
  public boolean await(Lock lock, Condition condition, Instant until) throws InterruptedException {
    if (!scheduler.now().isBefore(until)) {
      return false;
    }
    if (until.equals(Instant.MAX)) {
      condition.await();
      return true;
    }
    Scheduler.Event timer =
        scheduler.at(until, boot, () -> scheduler.signal(boot, lock, condition));
    try {
      condition.await();
    } finally {
      timer.cancel();
    }
    return scheduler.now().isBefore(until);
  }

  @Override
  @SuppressWarnings("LockWhileLocked") // no other thread knows this lock
  public void sleepUntil(Instant until) throws InterruptedException {
    var mine = new ReentrantLock();
    Condition woken = mine.newCondition();
    mine.lock();
    try {
      while (await(mine, woken, until)) {
        // woken early: sleep for the rest
      }
    } finally {
      mine.unlock();
    }
  }
}
