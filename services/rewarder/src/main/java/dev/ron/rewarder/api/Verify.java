package dev.ron.rewarder.api;

import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.task.Computed;
import dev.ron.rewarder.task.Work;
import dev.ron.rewarder.wire.SignatureKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /rewarder/epochs/{epoch}/verify}: computes the run again from its inputs and compares.
 *
 * <p>Threading: immutable.
 */
record Verify(Desk desk) {
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
          "held_actors");

  Blocking handler() {
    return exchange -> {
      Desk.Shown run = desk.run(exchange);
      Work.Probe<Manifest> probe =
          desk.rewarder()
              .probe(Desk.inputs(run.manifest()), Computed::manifest, exchange.deadline());
      Optional<Manifest> again = probe.await();
      if (again.isEmpty()) {
        throw desk.late(exchange, probe.fault());
      }
      var differ = new ArrayList<Object>();
      for (String field : COMPARED) {
        if (!run.manifest().text(field).equals(again.get().text(field))) {
          differ.add(field);
        }
      }
      boolean attested = attested(run.manifest());
      var fields = new LinkedHashMap<String, Object>();
      fields.put("epoch", run.manifest().epoch());
      fields.put("run_key", run.manifest().runKey());
      fields.put("root", run.manifest().text("root"));
      fields.put("attested", attested);
      fields.put("differ", differ);
      fields.put("verified", differ.isEmpty() && attested && run.manifest().intact());
      return Answer.json(200, Desk.json(fields));
    };
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
