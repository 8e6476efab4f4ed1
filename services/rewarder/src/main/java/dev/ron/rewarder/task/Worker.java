package dev.ron.rewarder.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
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
    switch (work.tryReceive()) {
      case null -> {
        return Next.await(pieces, work);
      }
      case Work.Compute compute -> compute(compute);
      case Work.Probe<?> probe -> probe(probe);
    }
    return Next.again();
  }

  private void compute(Work.Compute compute) throws IOException, InterruptedException {
    Ticket ticket = compute.ticket();
    Path draft = artifacts.draft();
    boolean handed = false;
    try {
      Computed computed = computation.run(ticket, draft);
      ticket.step("artifacts");
      handed =
          results.send(new Result(ticket, computed), Deadline.NEVER) instanceof SendResult.Sent;
      if (!handed) {
        compute.turnAway(new RewarderFault.Unavailable("the rewarder is shutting down"));
      }
    } catch (Refused refused) {
      compute.turnAway(refused.fault());
    } catch (IOException broken) {
      compute.turnAway(new RewarderFault.Unavailable(words(broken)));
    } catch (InterruptedException | RuntimeException bug) {
      compute.turnAway(new RewarderFault.Unavailable("the run was given up"));
      throw bug;
    } finally {
      if (!handed) {
        artifacts.delete(draft);
      }
    }
  }

  private void probe(Work.Probe<?> probe) throws IOException, InterruptedException {
    Path draft = artifacts.draft();
    try {
      Inputs inputs = probe.inputs();
      probe.look(computation.run(new Ticket(inputs, false, scope.time()), draft));
    } catch (Refused refused) {
      probe.turnAway(refused.fault());
    } catch (IOException broken) {
      probe.turnAway(new RewarderFault.Unavailable(words(broken)));
    } catch (InterruptedException | RuntimeException bug) {
      probe.turnAway(new RewarderFault.Unavailable("the run was given up"));
      throw bug;
    } finally {
      artifacts.delete(draft);
    }
  }

  private static String words(IOException broken) {
    return broken.getClass().getSimpleName() + ": " + broken.getMessage();
  }
}
