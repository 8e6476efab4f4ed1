package dev.ron.rewarder.epoch;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderMetrics;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.sign.Attestor;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * Keeps finished runs: signed, whole, once. Payment starts only after that.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class ArtifactWriter implements Task {
  private final Scope scope;
  private final Channel<RunWorker.Result> results;
  private final Channel<Manifest> intents;
  private final Broadcast<String> events;
  private final Artifacts artifacts;
  private final Attestor attestor;
  private final Runs runs;
  private final RewarderMetrics metrics;
  private final RunSteps steps;

  public ArtifactWriter(
      Scope scope,
      Channel<RunWorker.Result> results,
      Channel<Manifest> intents,
      Broadcast<String> events,
      Artifacts artifacts,
      Attestor attestor,
      Runs runs,
      RewarderMetrics metrics,
      RunSteps steps) {
    this.scope = scope;
    this.results = results;
    this.intents = intents;
    this.events = events;
    this.artifacts = artifacts;
    this.attestor = attestor;
    this.runs = runs;
    this.metrics = metrics;
    this.steps = steps;
  }

  @Override
  public Next run(Instant now) throws Exception {
    RunWorker.Result result = results.tryReceive();
    if (result == null) {
      return Next.await(results);
    }
    PendingRun ticket = result.ticket();
    ComputedRun computed = result.computed();
    try {
      keep(ticket, computed);
    } catch (Throwable broken) {
      giveUp(ticket, computed, broken);
      throw broken;
    }
    return Next.again();
  }

  private void keep(PendingRun ticket, ComputedRun computed) throws IOException {
    Manifest manifest = computed.manifest();
    manifest = manifest.attested(attestor.sign(manifest.commitment()));
    steps.did("attested");
    artifacts.keep(computed.draft(), manifest, computed.policy(), ticket.dry());
    steps.did("kept");
    if (manifest.status() != RunStatus.QUARANTINED) {
      ticket.payer().charge(Meter.Unit.EPOCH_LINES, ticket.lines().get());
    }
    runs.done(ticket, manifest);
    if (manifest.status() == RunStatus.CLOSED) {
      // Only wakes the emitter: it finds the run among the closed ones, also if this one is full.
      intents.trySend(manifest);
      steps.did("intents-sent");
    }
    tell(manifest, computed);
  }

  /**
   * A folder without its final name is no run, and its epoch is free. One that has the name may be
   * found after the next start, so until then other inputs may not have the epoch.
   */
  private void giveUp(PendingRun ticket, ComputedRun computed, Throwable broken) {
    Manifest manifest = computed.manifest();
    if (manifest.status() == RunStatus.CLOSED && artifacts.isNamed(manifest.runKey(), false)) {
      runs.inDoubt(
          ticket,
          new RewarderFault.Unavailable(
              "the disk did not say whether it keeps the run; ask again with the same inputs: "
                  + broken));
    } else {
      runs.failed(ticket, new RewarderFault.Unavailable("the run could not be kept: " + broken));
    }
    artifacts.letGo(computed.draft());
    if (broken instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
      metrics.droppedResults().inc();
    }
  }

  private void tell(Manifest manifest, ComputedRun computed) {
    metrics.finished(manifest, computed.took());
    if (manifest.status() == RunStatus.QUARANTINED) {
      String code =
          manifest.fields().get("reason") instanceof Map<?, ?> reason
              ? String.valueOf(reason.get("code"))
              : "unknown";
      events.publish("quarantined " + manifest.epoch() + " " + code);
      scope
          .log()
          .warn(
              "run-quarantined",
              "epoch",
              manifest.epoch(),
              "run",
              manifest.runKey(),
              "reason",
              code);
    } else {
      events.publish(manifest.text("status") + " " + manifest.epoch());
      scope
          .log()
          .info(
              "run-kept",
              "epoch",
              manifest.epoch(),
              "run",
              manifest.runKey(),
              "lines",
              manifest.number("lines"),
              "paid",
              manifest.text("paid_minor"));
    }
  }
}
