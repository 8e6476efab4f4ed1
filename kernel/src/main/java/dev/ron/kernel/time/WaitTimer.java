package dev.ron.kernel.time;

import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends waits whose time has come, with one thread for all of them.
 *
 * <p>A virtual thread that parks with a limit arms a timer of the JDK, and cancels it when it is
 * woken. Each of the two wakes the JDK's timer thread, which came to a sixth of the CPU of a
 * message that is sent. Nearly all waits are over long before their limit. So a wait is put down
 * here without a wake-up, and is mostly over when the thread looks at it for the first time, within
 * {@link #ROUND_NANOS}.
 *
 * <p>A wait is ended by a signal. So nothing else may wait on its condition, or a thousand waits
 * would be signalled a thousand times.
 *
 * <p>Threading: thread-safe; {@code later} is the timer thread's own. While it sleeps for longer
 * than a round it says so in {@code asleep}, and the next wait that is put down wakes it.
 */
final class WaitTimer implements Runnable {
  /** A shorter wait is likely to last until its limit, which the JDK keeps to the microsecond. */
  static final long LEAST_NANOS = 50_000_000;

  private static final long ROUND_NANOS = 20_000_000;
  private static final long RETRY_NANOS = 1_000_000;

  /** A process, or a test, that waits for nothing has no thread for it. */
  private static final long IDLE_NANOS = 5_000_000_000L;

  /** Waits that ended by themselves are taken out when they may be more than half of all. */
  private static final int SWEPT_LEAST = 1024;

  private final ConcurrentLinkedQueue<Wait> fresh = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Wait> later =
      new PriorityQueue<>((one, other) -> Long.signum(one.atNanos - other.atNanos));
  private final AtomicBoolean runs = new AtomicBoolean();
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private volatile boolean asleep;
  private int sweepAt = SWEPT_LEAST;

  /** One wait; over when the thread that waited goes on. */
  static final class Wait {
    private final Lock lock;
    private final Condition condition;
    private long atNanos;
    private volatile boolean over;

    private Wait(Lock lock, Condition condition, long atNanos) {
      this.lock = lock;
      this.condition = condition;
      this.atNanos = atNanos;
    }

    void over() {
      over = true;
    }
  }

  /**
   * The condition is signalled at that time of {@link System#nanoTime}, unless the wait is over.
   */
  Wait signalAt(long atNanos, Lock lock, Condition condition) {
    var wait = new Wait(lock, condition, atNanos);
    fresh.add(wait);
    if (!runs.get() && runs.compareAndSet(false, true)) {
      begin();
    } else if (asleep) {
      asleep = false;
      LockSupport.unpark(thread.get());
    }
    return wait;
  }

  /** Where no thread can be made now, the next wait tries again. */
  private void begin() {
    boolean begun = false;
    try {
      Thread.ofPlatform().daemon().name("waits").start(this);
      begun = true;
    } finally {
      if (!begun) {
        runs.set(false);
      }
    }
  }

  @Override
  public void run() {
    thread.set(Thread.currentThread());
    while (true) {
      try {
        rounds();
        return;
      } catch (RuntimeException | OutOfMemoryError failed) {
        // Without this thread no wait of the process would ever end: what is due is due again.
        LockSupport.parkNanos(this, ROUND_NANOS);
      }
    }
  }

  /** Until nothing waits any more. */
  private void rounds() {
    while (true) {
      boolean came = gather();
      long now = System.nanoTime();
      long next = ring(now);
      if (came) {
        LockSupport.parkNanos(this, Math.min(next, ROUND_NANOS));
        continue;
      }
      asleep = true;
      boolean idle = later.isEmpty();
      if (fresh.isEmpty()) {
        LockSupport.parkNanos(this, idle ? IDLE_NANOS : next);
      }
      asleep = false;
      if (idle && fresh.isEmpty() && System.nanoTime() - now >= IDLE_NANOS && ends()) {
        return;
      }
    }
  }

  /** Unless a wait was put down meanwhile, by a thread that counts on this one. */
  private boolean ends() {
    runs.set(false);
    return fresh.isEmpty() || !runs.compareAndSet(false, true);
  }

  /** False if no wait was put down since the last round. */
  private boolean gather() {
    boolean came = false;
    for (Wait wait = fresh.peek(); wait != null; wait = fresh.peek()) {
      came = true;
      if (!wait.over) {
        later.add(wait); // the other queue has it until this one does
      }
      fresh.poll();
    }
    if (later.size() >= sweepAt) {
      later.removeIf(each -> each.over);
      sweepAt = Math.max(SWEPT_LEAST, 2 * later.size());
    }
    return came;
  }

  /** Signals what is due; nanoseconds until the next is. */
  private long ring(long now) {
    for (Wait first = later.peek(); first != null; first = later.peek()) {
      long left = first.atNanos - now;
      if (!first.over && left > 0) {
        return left;
      }
      boolean rung = first.over || signals(first);
      later.poll();
      if (!rung) {
        first.atNanos = now + RETRY_NANOS;
        later.add(first);
      }
    }
    return Long.MAX_VALUE;
  }

  /** False while its lock is held: this thread waits for none. */
  private static boolean signals(Wait wait) {
    if (!wait.lock.tryLock()) {
      return false;
    }
    try {
      wait.condition.signalAll();
      return true;
    } finally {
      wait.lock.unlock();
    }
  }
}
