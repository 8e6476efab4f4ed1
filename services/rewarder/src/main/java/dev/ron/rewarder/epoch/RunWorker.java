package dev.ron.rewarder.epoch;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.score.ParallelTally;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Leads runs, and helps other workers with theirs: pieces of a run that is under way come first.
 *
 * <p>Threading: steps from one thread at a time; there are several.
 */
public final class RunWorker implements Task {
  private final Scope scope;
  private final Channel<WorkerJob> work;
  private final Channel<ParallelTally.TallyPiece> pieces;
  private final Channel<Result> results;
  private final EpochComputation computation;
  private final Artifacts artifacts;

  /** What the artifact writer gets. */
  public record Result(PendingRun ticket, ComputedRun computed) {}

  public RunWorker(
      Scope scope,
      Channel<WorkerJob> work,
      Channel<ParallelTally.TallyPiece> pieces,
      Channel<Result> results,
      EpochComputation computation,
      Artifacts artifacts) {
    this.scope = scope;
    this.work = work;
    this.pieces = pieces;
    this.results = results;
    this.computation = computation;
    this.artifacts = artifacts;
  }

  @Override
  public Next run(Instant now) throws Exception {
    ParallelTally.TallyPiece piece = pieces.tryReceive();
    if (piece != null) {
      piece.count();
      return Next.again();
    }
    WorkerJob next = work.tryReceive();
    if (next == null) {
      return Next.await(pieces, work);
    }
    try {
      switch (next) {
        case WorkerJob.Compute compute -> compute(compute.ticket());
        case WorkerJob.Probe<?> probe -> probe(probe);
      }
    } catch (RewarderFaultException refused) {
      next.turnAway(refused.fault());
    } catch (IOException broken) {
      next.turnAway(new RewarderFault.Unavailable(words(broken)));
    } catch (Throwable bug) {
      // An Error too: a run that is never ended would hold its epoch until the next start.
      next.turnAway(new RewarderFault.Unavailable("the run was given up: " + words(bug)));
      throw bug;
    }
    return Next.again();
  }

  private void compute(PendingRun ticket) throws IOException, InterruptedException {
    Path draft = artifacts.draft();
    boolean handed = false;
    try {
      ComputedRun computed = inTime(ticket, draft, () -> !overdue(ticket));
      ticket.step("artifacts");
      handed =
          results.send(new Result(ticket, computed), Deadline.NEVER) instanceof SendResult.Sent;
      if (!handed) {
        throw new RewarderFaultException(
            new RewarderFault.Unavailable("the rewarder is shutting down"));
      }
    } finally {
      if (!handed) {
        artifacts.letGo(draft);
      }
    }
  }

  private boolean overdue(PendingRun ticket) {
    return ticket.deadline().passed(scope.time().now());
  }

  /** Under the run's deadline, which what it asks of other services gets, too. */
  private ComputedRun inTime(PendingRun ticket, Path draft, BooleanSupplier wanted)
      throws IOException, InterruptedException {
    try {
      ComputedRun computed = ticket.deadline().call(() -> computation.run(ticket, draft, wanted));
      if (!overdue(ticket)) {
        return computed;
      }
    } catch (IOException | RuntimeException failed) {
      if (!overdue(ticket)) {
        throw failed;
      }
    } catch (InterruptedException cancelled) {
      throw cancelled;
    } catch (Exception impossible) {
      throw new IllegalStateException("computing " + ticket.runKey(), impossible);
    }
    scope.counters().ioTimeouts().labelValues("epoch").inc();
    throw new RewarderFaultException(new RewarderFault.EpochOverdue(ticket.inputs().epoch()));
  }

  private void probe(WorkerJob.Probe<?> probe) throws IOException, InterruptedException {
    if (!probe.wanted()) {
      throw new RewarderFaultException(
          new RewarderFault.Unavailable("nobody waits for the result any more"));
    }
    Path draft = artifacts.draft();
    try {
      var ticket =
          new PendingRun(probe.inputs(), false, scope.time(), probe.deadline(), Payer.current());
      probe.look(inTime(ticket, draft, probe::wanted));
    } finally {
      artifacts.letGo(draft);
    }
  }

  private static String words(Throwable broken) {
    return broken.getClass().getSimpleName() + ": " + broken.getMessage();
  }
}
