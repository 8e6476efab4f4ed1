package dev.ron.rewarder.task;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a worker is asked to do. */
public sealed interface Work {
  /** Nobody will do it: whoever waits is told. */
  void turnAway(RewarderFault fault);

  /** To compute a run that is to be kept. */
  record Compute(Ticket ticket, Runs runs) implements Work {
    @Override
    public void turnAway(RewarderFault fault) {
      runs.failed(ticket, fault);
    }
  }

  /** Looks at a computed run before it is let go. */
  @FunctionalInterface
  interface Look<T> {
    T at(Computed computed) throws IOException;
  }

  /**
   * To compute a run only to look at it: to verify one, or to see what another policy would do.
   *
   * <p>Threading: thread-safe; answered once.
   */
  final class Probe<T> implements Work {
    private final Inputs inputs;
    private final Look<T> look;
    private final Deadline deadline;
    private final Time time;
    private final Gate ended;
    private volatile boolean left;
    private volatile @Nullable T seen;
    private volatile @Nullable RewarderFault fault;

    /**
     * @param deadline of the request that asks; after it there is no use in the result
     */
    public Probe(Inputs inputs, Look<T> look, Deadline deadline, Time time) {
      this.inputs = inputs;
      this.look = look;
      this.deadline = deadline;
      this.time = time;
      this.ended = new Gate(time);
    }

    Inputs inputs() {
      return inputs;
    }

    /** False once the caller has left, or its time is up. */
    boolean wanted() {
      return !left && !deadline.passed(time.now());
    }

    void look(Computed computed) throws IOException {
      seen = look.at(computed);
      ended.open();
    }

    @Override
    public void turnAway(RewarderFault why) {
      fault = why;
      ended.open();
    }

    /** Nothing if the deadline passed first, or if there is a fault; asked once. */
    public Optional<T> await() throws InterruptedException {
      try {
        return ended.await(deadline) ? Optional.ofNullable(seen) : Optional.empty();
      } finally {
        left = true;
      }
    }

    public Optional<RewarderFault> fault() {
      return Optional.ofNullable(fault);
    }
  }
}
