package dev.ron.rewarder.api;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.epoch.ComputedRun;
import dev.ron.rewarder.epoch.WorkerJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /rewarder/epochs/{epoch}/verify}: computes the run again from its inputs and compares.
 *
 * <p>Threading: immutable.
 */
record VerifyRun(RewarderContext context) implements Verb<VerifyRun.Request, VerifyRun.Reply> {
  private static final List<String> COMPARED =
      List.of(
          "run_key",
          "root",
          "pool_minor",
          "paid_minor",
          "held_minor",
          "residual_minor",
          "score_total",
          "actors",
          "lines",
          "held_actors",
          "seals");

  record Request(EpochName epoch, Duration limit) {}

  /**
   * @param differ names of the manifest's fields that differ
   */
  record Reply(
      boolean attested,
      List<String> differ,
      String epoch,
      String root,
      String runKey,
      boolean verified) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(EpochName.of(exchange), RewarderContext.limit(exchange));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    Manifest kept = context.run(request.epoch()).manifest();
    WorkerJob.Probe<Manifest> probe =
        context
            .rewarder()
            .probe(
                RewarderContext.inputs(kept, request.epoch().owner()),
                ComputedRun::manifest,
                Deadline.current());
    Manifest again = RewarderContext.value(probe.await(), "verify", request.limit());
    List<String> differ =
        COMPARED.stream().filter(field -> !kept.text(field).equals(again.text(field))).toList();
    boolean attested = attested(kept);
    return new Reply(
        attested,
        differ,
        request.epoch().toString(),
        kept.text("root"),
        kept.runKey(),
        differ.isEmpty() && attested && kept.intact());
  }

  /** Every signature beside the manifest is good, and there is one. */
  private static boolean attested(Manifest manifest) {
    if (!(manifest.fields().get("attestations") instanceof List<?> all) || all.isEmpty()) {
      return false;
    }
    for (Object each : all) {
      if (!(each instanceof Map<?, ?> signature)
          || SignatureKind.of(String.valueOf(signature.get("alg")))
              .filter(
                  kind ->
                      kind.verifies(
                          String.valueOf(signature.get("key")),
                          manifest.commitment(),
                          String.valueOf(signature.get("sig"))))
              .isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
