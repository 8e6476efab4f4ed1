package dev.ron.rewarder.epoch;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a worker is asked to do. */
public sealed interface WorkerJob {
  /** No worker will do it: the waiting request is refused. */
  void turnAway(RewarderFault fault);

  /** Whose turn it takes. */
  String tenant();

  /** To compute a run that is to be kept. */
  record Compute(PendingRun ticket, Runs runs) implements WorkerJob {
    @Override
    public void turnAway(RewarderFault fault) {
      runs.failed(ticket, fault);
    }

    @Override
    public String tenant() {
      return ticket.inputs().tenant();
    }
  }

  /** Reads a computed run before it is deleted. */
  @FunctionalInterface
  interface Look<T> {
    T at(ComputedRun computed) throws IOException;
  }

  /**
   * To compute a run only for its result: to verify one, or to see what another policy would do.
   *
   * <p>Threading: immutable; the reply is thread-safe, and claimed by a request that leaves.
   *
   * @param deadline of the request that asks; after it there is no use in the result
   */
  record Probe<T>(
      Inputs inputs, Look<T> look, Deadline deadline, Time time, Reply<RunResult<T>> reply)
      implements WorkerJob {
    public Probe(Inputs inputs, Look<T> look, Deadline deadline, Time time) {
      this(inputs, look, deadline, time, new Reply<>(time));
    }

    @Override
    public String tenant() {
      return inputs.tenant();
    }

    /** False once the caller has left, or its time is up. */
    boolean wanted() {
      return !reply.claimed() && !deadline.passed(time.now());
    }

    void look(ComputedRun computed) throws IOException {
      reply.answer(new RunResult.Done<>(look.at(computed)));
    }

    @Override
    public void turnAway(RewarderFault why) {
      reply.answer(new RunResult.Failed<>(why));
    }

    /** Null if the deadline passed first; asked once. */
    public @Nullable RunResult<T> await() throws InterruptedException {
      try {
        return reply.await(deadline);
      } finally {
        reply.claim();
      }
    }
  }
}
