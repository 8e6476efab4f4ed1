package dev.ron.rewarder.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.disk.Artifacts;
import dev.ron.rewarder.wire.Refused;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Leads runs, and helps others with theirs: pieces of a run that is under way come first.
 *
 * <p>Threading: steps from one thread at a time; there are several.
 */
final class Worker implements Task {
  private final Scope scope;
  private final Channel<Work> work;
  private final Channel<Reading.Offered> pieces;
  private final Channel<Result> results;
  private final Computation computation;
  private final Artifacts artifacts;

  /** What the artifact writer gets. */
  record Result(Ticket ticket, Computed computed) {}

  Worker(
      Scope scope,
      Channel<Work> work,
      Channel<Reading.Offered> pieces,
      Channel<Result> results,
      Computation computation,
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
    Reading.Offered piece = pieces.tryReceive();
    if (piece != null) {
      piece.count();
      return Next.again();
    }
    Work next = work.tryReceive();
    if (next == null) {
      return Next.await(pieces, work);
    }
    try {
      switch (next) {
        case Work.Compute compute -> compute(compute.ticket());
        case Work.Probe<?> probe -> probe(probe);
      }
    } catch (Refused refused) {
      next.turnAway(refused.fault());
    } catch (IOException broken) {
      next.turnAway(new RewarderFault.Unavailable(words(broken)));
    } catch (Throwable bug) {
      // An Error too: a run that ends nowhere would hold its epoch until the next start.
      next.turnAway(new RewarderFault.Unavailable("the run was given up: " + words(bug)));
      throw bug;
    }
    return Next.again();
  }

  private void compute(Ticket ticket) throws IOException, InterruptedException {
    Path draft = artifacts.draft();
    boolean handed = false;
    try {
      Computed computed = computation.run(ticket, draft, () -> true);
      ticket.step("artifacts");
      handed =
          results.send(new Result(ticket, computed), Deadline.NEVER) instanceof SendResult.Sent;
      if (!handed) {
        throw new Refused(new RewarderFault.Unavailable("the rewarder is shutting down"));
      }
    } finally {
      if (!handed) {
        artifacts.letGo(draft);
      }
    }
  }

  private void probe(Work.Probe<?> probe) throws IOException, InterruptedException {
    if (!probe.wanted()) {
      throw new Refused(new RewarderFault.Unavailable("nobody waits for the result any more"));
    }
    Path draft = artifacts.draft();
    try {
      var ticket = new Ticket(probe.inputs(), false, scope.time());
      probe.look(computation.run(ticket, draft, probe::wanted));
    } finally {
      artifacts.letGo(draft);
    }
  }

  private static String words(Throwable broken) {
    return broken.getClass().getSimpleName() + ": " + broken.getMessage();
  }
}
