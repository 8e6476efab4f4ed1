package dev.ron.http.server.dispatch;

import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the requests that the server works on, from head to end, and lets the drain wait for the
 * last one. What comes while it drains is refused and does not count, or a peer that keeps sending
 * requests could keep the drain waiting.
 *
 * <p>Threading: thread-safe. {@code draining} is set before {@code count} is read by the drain, and
 * {@code count} is changed before {@code draining} is read by a request; so one of the two sees the
 * other, and the last request opens the gate.
 */
public final class Inflight {
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final Gate drained;
  private final Gate none;
  private volatile boolean draining;
  private volatile boolean cutting;

  public Inflight(Time time) {
    this.drained = new Gate(time);
    this.none = new Gate(time);
  }

  /** False if the server drains: then the request does not count, and is not to be worked on. */
  public boolean entered() {
    count.incrementAndGet();
    if (draining) {
      uncount();
      return false;
    }
    return true;
  }

  public void left() {
    if (draining) {
      answered.incrementAndGet();
    }
    uncount();
  }

  private void uncount() {
    if (count.decrementAndGet() == 0 && draining) {
      open();
    }
  }

  private void open() {
    drained.open();
    none.open();
  }

  public boolean draining() {
    return draining;
  }

  /** The time of the drain is up: the tick of each loop ends what is left. */
  public boolean cutting() {
    return cutting;
  }

  public void drain() {
    draining = true;
    if (count.get() == 0) {
      open();
    }
  }

  /** Makes {@link #await} stop waiting. */
  public void hasten() {
    drained.open();
  }

  /** How many had their answer, and how many are left when the deadline has come. */
  public Door.Requests await(Deadline deadline) throws InterruptedException {
    var _ = drained.await(deadline);
    int left = count.get();
    return new Door.Requests(answered.get(), left);
  }

  /** Cuts what is left, and gives its threads until the deadline to notice. */
  public void cut(Deadline deadline) throws InterruptedException {
    cutting = true;
    var _ = none.await(deadline);
  }
}
