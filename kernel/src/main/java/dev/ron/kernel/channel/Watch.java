package dev.ron.kernel.channel;

import dev.ron.kernel.Scope;
import dev.ron.kernel.lock.LockOrder;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One value that any thread can read; the last write wins.
 *
 * <p>A reader that was slow sees the newest value and none of those between: right for
 * configuration and shutdown, wrong for events.
 *
 * <p>Threading: thread-safe; {@code lock} guards the order of writes, reads are volatile.
 */
public final class Watch<T> {
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Bells bells = new Bells();
  private volatile Version<T> latest;

  /** A value and its place in the order of writes. */
  public record Version<T>(long number, T value) {}

  Watch(Time time, T initial) {
    this.time = time;
    this.latest = new Version<>(0, initial);
  }

  public static <T> Watch<T> of(Scope scope, String name, T initial) {
    var watch = new Watch<>(scope.time(), initial);
    scope
        .registry()
        .channel(() -> new ChannelRow(name, "watch", 1, "last write wins", 0, 0, 0), () -> 0);
    return watch;
  }

  /** A watch that lives only as long as its subject, so it has no row in the registry. */
  public static <T> Watch<T> unlisted(Scope scope, T initial) {
    return new Watch<>(scope.time(), initial);
  }

  public Version<T> latest() {
    return latest;
  }

  public T value() {
    return latest.value();
  }

  public void set(T value) {
    lock.lock();
    try {
      latest = new Version<>(latest.number() + 1, value);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    bells.ringAll();
  }

  /**
   * Waits until there is a version after {@code seen}.
   *
   * @return the newest version, which is {@code seen} itself if the deadline passed first
   */
  public Version<T> await(Version<T> seen, Deadline deadline) throws InterruptedException {
    if (latest.number() != seen.number()) {
      return latest;
    }
    LockOrder.assertNoneHeld("Watch.await");
    lock.lockInterruptibly();
    try {
      while (latest.number() == seen.number() && time.await(lock, changed, deadline.at())) {
        // woken without a write: wait for the rest of the time
      }
      return latest;
    } finally {
      lock.unlock();
    }
  }

  /** What a task waits for to hear of writes after {@code seen}. */
  public Inbox after(Version<T> seen) {
    return new Inbox() {
      @Override
      public boolean ready() {
        return latest.number() != seen.number();
      }

      @Override
      public boolean ended() {
        return false;
      }

      @Override
      public void attach(Bell bell) {
        bells.attach(bell);
      }

      @Override
      public void detach(Bell bell) {
        bells.detach(bell);
      }
    };
  }
}
