package dev.ron.kernel.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that stands still until a test moves it.
 *
 * <p>Threads that wait for it really wait, on their own condition; moving the time wakes exactly
 * those whose moment has come, in the order of their moments. A day passes in no time.
 *
 * <p>Threading: thread-safe; {@code lock} guards the clock and the timers and is never held while a
 * waiter's lock is taken.
 */
public final class VirtualTime implements Time {
  /** A day in the past, so that nothing confuses it with the machine's clock. */
  public static final Instant START = Instant.parse("2020-01-01T00:00:00Z");

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparingLong(Timer::number));

  @GuardedBy("lock") private long timersMade;

  private volatile Instant now = START;

  /** A thread that waits; the number keeps the order of equal moments. */
  private record Timer(Instant at, long number, Lock lock, Condition condition) {}

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Instant wall() {
    return now;
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's: only it knows the predicate
  public boolean await(Lock callers, Condition condition, Instant until)
      throws InterruptedException {
    if (!now.isBefore(until)) {
      return false;
    }
    Timer timer = add(until, callers, condition);
    Waiter.current().pauses();
    try {
      condition.await();
    } finally {
      remove(timer);
    }
    return now.isBefore(until);
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

  public void advance(Duration by) {
    advanceTo(now.plus(by));
  }

  /**
   * Moves the clock and wakes every thread that waited for a moment up to it, one moment at a time.
   */
  public void advanceTo(Instant to) {
    if (to.isBefore(now)) {
      throw new IllegalArgumentException("time does not go back, from " + now + " to " + to);
    }
    while (true) {
      Optional<Instant> next = nextWake().filter(at -> !at.isAfter(to));
      if (next.isEmpty()) {
        now = to;
        return;
      }
      fire(next.get());
    }
  }

  /** The earliest moment a thread waits for, if it is not {@code Instant.MAX}. */
  public Optional<Instant> nextWake() {
    lock.lock();
    try {
      return Optional.ofNullable(timers.peek())
          .map(Timer::at)
          .filter(at -> at.isBefore(Instant.MAX));
    } finally {
      lock.unlock();
    }
  }

  private void fire(Instant at) {
    List<Timer> due;
    lock.lock();
    try {
      now = at.isAfter(now) ? at : now;
      due =
          timers.stream()
              .filter(timer -> !timer.at().isAfter(at))
              .sorted(timers.comparator())
              .toList();
      timers.removeAll(due);
    } finally {
      lock.unlock();
    }
    for (Timer timer : due) {
      timer.lock().lock();
      try {
        timer.condition().signalAll();
      } finally {
        timer.lock().unlock();
      }
    }
  }

  private Timer add(Instant at, Lock callers, Condition condition) {
    lock.lock();
    try {
      var timer = new Timer(at, timersMade++, callers, condition);
      timers.add(timer);
      return timer;
    } finally {
      lock.unlock();
    }
  }

  private void remove(Timer timer) {
    lock.lock();
    try {
      timers.remove(timer);
    } finally {
      lock.unlock();
    }
  }
}
