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
import java.util.Optional;

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
  private final EpochLog log;
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
      EpochLog log,
      RewarderMetrics metrics,
      RunSteps steps) {
    this.scope = scope;
    this.results = results;
    this.intents = intents;
    this.events = events;
    this.artifacts = artifacts;
    this.attestor = attestor;
    this.runs = runs;
    this.log = log;
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
      Optional<RewarderFault> foreclosed = foreclosed(computed.manifest());
      if (foreclosed.isPresent()) {
        runs.failed(ticket, foreclosed.get());
        artifacts.letGo(computed.draft());
        return Next.again();
      }
      keep(ticket, computed);
    } catch (Throwable broken) {
      giveUp(ticket, computed, broken);
      throw broken;
    }
    return Next.again();
  }

  /**
   * Why this run may not close its epoch. Where several machines could, they agree before: a run
   * that has its name is one that all of them know of, whatever becomes of this machine.
   */
  private Optional<RewarderFault> foreclosed(Manifest manifest) throws InterruptedException {
    if (manifest.status() != RunStatus.CLOSED) {
      return Optional.empty();
    }
    AgreedRun run = AgreedRun.of(manifest);
    try {
      AgreedRun holder = log.claim(run);
      steps.did("claimed");
      if (holder.equals(run)) {
        return Optional.empty();
      }
      return Optional.of(
          holder.runKey().equals(run.runKey())
              ? new RewarderFault.Unavailable(
                  "epoch %s was closed with root %s; here the same inputs give %s"
                      .formatted(run.epoch(), holder.root(), run.root()))
              : new RewarderFault.OtherInputs(run.epoch(), holder.runKey()));
    } catch (IOException away) {
      return Optional.of(
          new RewarderFault.Unavailable(
              "whose epoch %s is could not be agreed on; ask again with the same inputs: %s"
                  .formatted(run.epoch(), away.getMessage())));
    }
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
