package dev.ron.kernel.supervise;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Given once, and heard by every wait that subscribed: how a request or a step that waits for
 * something else learns of the drain.
 *
 * <p>Threading: thread-safe. A subscription is added before {@code given} is read, and {@code
 * given} opens before the subscriptions are read; so at least one of the two sides finds the
 * subscription. The subscription's {@code lock} lets exactly one side run the action, and none once
 * it is closed.
 */
public final class Signal {
  private final Time time;
  private final Gate given;
  private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger told = new AtomicInteger();

  /** One wait that wants to hear; closed when the wait has ended for another reason. */
  public final class Subscription implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable action;

    @GuardedBy("lock") private boolean over;

    private Subscription(Runnable action) {
      this.action = action;
    }

    /** When this returns, the action has run or never will. */
    @Override
    public void close() {
      subscriptions.remove(this);
      lock.lock();
      try {
        over = true;
      } finally {
        lock.unlock();
      }
    }

    /** True for the one call that ran the action. */
    private boolean tell() {
      subscriptions.remove(this);
      lock.lock();
      try {
        boolean first = !over;
        over = true;
        if (first) {
          action.run();
        }
        return first;
      } finally {
        lock.unlock();
      }
    }
  }

  public Signal(Time time) {
    this.time = time;
    this.given = new Gate(time);
  }

  /** Tells every subscription, once; a second call does nothing. */
  public void give() {
    if (given.isOpen()) {
      return;
    }
    given.open();
    for (Subscription each : subscriptions) {
      if (each.tell()) {
        told.incrementAndGet();
      }
    }
  }

  public boolean given() {
    return given.isOpen();
  }

  /** Runs {@code action} when the signal is given, at once if it was. It must not wait. */
  public Subscription subscribe(Runnable action) {
    var subscription = new Subscription(action);
    subscriptions.add(subscription);
    if (given.isOpen()) {
      var _ = subscription.tell();
    }
    return subscription;
  }

  /** Sleeps until the deadline; true if the signal was given first. */
  public boolean await(Deadline deadline) throws InterruptedException {
    var heard = new Gate(time);
    try (var _ = subscribe(heard::open)) {
      return heard.await(deadline);
    }
  }

  /** How many waits were under way when the signal was given. */
  public int told() {
    return told.get();
  }
}
