package dev.ron.http.server;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests from head to end, and lets the drain wait for the last one.
 *
 * <p>Threading: thread-safe. {@code draining} is set before {@code count} is read by the drain, and
 * {@code count} is lowered before {@code draining} is read by the last request; so one of the two
 * sees zero and opens the gate.
 */
final class Inflight {
  private final AtomicInteger count = new AtomicInteger();
  private final Gate drained;
  private volatile boolean draining;

  Inflight(Time time) {
    drained = new Gate(time);
  }

  void entered() {
    count.incrementAndGet();
  }

  void left() {
    if (count.decrementAndGet() == 0 && draining) {
      drained.open();
    }
  }

  boolean draining() {
    return draining;
  }

  void drain() {
    draining = true;
    if (count.get() == 0) {
      drained.open();
    }
  }

  /** How many are left when all have ended or the deadline has come. */
  int await(Deadline deadline) throws InterruptedException {
    var _ = drained.await(deadline);
    return count.get();
  }
}
