package dev.ron.rewarder.epoch;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.core.RunBook;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides about each request for a run: one run for an epoch and its inputs.
 *
 * <p>A full queue of work is tried once more after 50 to 150 ms, then the caller is told.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class RunScheduler implements Task {
  private static final long RETRY_MILLIS_MIN = 50;
  private static final long RETRY_MILLIS_MAX = 150;

  private final Scope scope;
  private final Channel<RunRequest> requests;
  private final Channel<WorkerJob> work;
  private final Runs runs;
  private @Nullable Late late;

  /** A run that found the queue full. */
  private record Late(
      RunRequest request, WorkerJob.Compute compute, Runs.RunReply asked, Instant again) {}

  public RunScheduler(
      Scope scope, Channel<RunRequest> requests, Channel<WorkerJob> work, Runs runs) {
    this.scope = scope;
    this.requests = requests;
    this.work = work;
    this.runs = runs;
  }

  @Override
  public Next run(Instant now) {
    Late waiting = late;
    if (waiting != null) {
      if (now.isBefore(waiting.again())) {
        return Next.at(waiting.again());
      }
      late = null;
      lastTry(waiting);
      return Next.again();
    }
    RunRequest request = requests.tryReceive();
    if (request == null) {
      return Next.await(requests);
    }
    Runs.RunReply asked;
    try {
      asked = runs.ask(request.inputs(), request.dry(), request.payer());
    } catch (RewarderFaultException over) {
      request.refuse(over.fault());
      return Next.again();
    }
    if (asked.decision() instanceof RunBook.Decision.Start && asked.ticket().isPresent()) {
      var compute = new WorkerJob.Compute(asked.ticket().get(), runs);
      if (!(work.trySend(compute) instanceof SendResult.Sent)) {
        late = late(request, compute, asked, now);
        return Next.again();
      }
    }
    request.reply().answer(new RunResult.Done<>(asked));
    return Next.again();
  }

  private Late late(
      RunRequest request, WorkerJob.Compute compute, Runs.RunReply asked, Instant now) {
    try {
      long millis = scope.chance().nextLong(RETRY_MILLIS_MIN, RETRY_MILLIS_MAX + 1);
      scope.counters().backoffRetries().labelValues("work").inc();
      return new Late(request, compute, asked, now.plus(Duration.ofMillis(millis)));
    } catch (Throwable bug) {
      // The run is entered as being computed: if it were not ended it would hold its epoch for
      // good.
      compute.turnAway(new RewarderFault.Unavailable("the run was given up: " + bug));
      throw bug;
    }
  }

  private void lastTry(Late waiting) {
    if (work.trySend(waiting.compute()) instanceof SendResult.Sent) {
      waiting.request().reply().answer(new RunResult.Done<>(waiting.asked()));
      return;
    }
    scope.counters().queueDropped().labelValues(work.name()).inc();
    var busy = new RewarderFault.Busy(work.name(), work.capacity());
    waiting.compute().turnAway(busy);
    waiting.request().refuse(busy);
  }

  @Override
  public void finish(Instant now) {
    Late waiting = late;
    if (waiting != null) {
      lastTry(waiting);
    }
  }
}
