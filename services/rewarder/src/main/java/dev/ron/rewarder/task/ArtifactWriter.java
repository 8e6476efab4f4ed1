package dev.ron.rewarder.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderMetrics;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.Settlements;
import dev.ron.rewarder.disk.Artifacts;
import dev.ron.rewarder.disk.Attestor;
import dev.ron.rewarder.disk.Outbox;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * Keeps finished runs: signed, whole, once. Only then is there an intent to pay anything.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class ArtifactWriter implements Task {
  private final Scope scope;
  private final Channel<Worker.Result> results;
  private final Channel<Manifest> intents;
  private final Broadcast<String> events;
  private final Artifacts artifacts;
  private final Attestor attestor;
  private final Outbox outbox;
  private final Runs runs;
  private final RewarderMetrics metrics;
  private final Steps steps;

  ArtifactWriter(
      Scope scope,
      Channel<Worker.Result> results,
      Channel<Manifest> intents,
      Broadcast<String> events,
      Kept kept,
      Runs runs,
      RewarderMetrics metrics,
      Steps steps) {
    this.scope = scope;
    this.results = results;
    this.intents = intents;
    this.events = events;
    this.artifacts = kept.artifacts();
    this.attestor = kept.attestor();
    this.outbox = kept.outbox();
    this.runs = runs;
    this.metrics = metrics;
    this.steps = steps;
  }

  /** Where a run is kept, by whom it is signed, and what remembers how far it is paid. */
  record Kept(Artifacts artifacts, Attestor attestor, Outbox outbox) {}

  @Override
  public Next run(Instant now) throws Exception {
    Worker.Result result = results.tryReceive();
    if (result == null) {
      return Next.await(results);
    }
    Ticket ticket = result.ticket();
    Computed computed = result.computed();
    try {
      keep(ticket, computed);
    } catch (IOException | RuntimeException broken) {
      artifacts.delete(computed.draft());
      runs.failed(ticket, new RewarderFault.Unavailable("the run could not be kept: " + broken));
      throw broken;
    }
    return Next.again();
  }

  private void keep(Ticket ticket, Computed computed) throws IOException, InterruptedException {
    Manifest manifest = computed.manifest();
    manifest = manifest.attested(attestor.sign(manifest.commitment()));
    steps.did("attested");
    artifacts.keep(computed.draft(), manifest, computed.policy(), ticket.dry());
    steps.did("kept");
    boolean toSettle = manifest.status() == RunStatus.CLOSED && !ticket.dry();
    if (toSettle) {
      outbox.record(new Settlements.Progress(manifest.runKey(), 1, manifest.number("lines")));
      steps.did("outbox-opened");
    }
    runs.done(ticket, manifest);
    tell(manifest, computed);
    if (toSettle) {
      // Whatever is not sent now because of a shutdown is found in the outbox after the start.
      intents.send(manifest, Deadline.NEVER);
      steps.did("intents-sent");
    }
  }

  private void tell(Manifest manifest, Computed computed) {
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
