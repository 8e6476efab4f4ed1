package dev.ron.rewarder.api;

import dev.ron.http.json.Schema;
import dev.ron.http.server.exchange.Answer;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.epoch.PendingRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The answer about a run: its manifest, byte for byte, or its progress. */
sealed interface RunAnswer {
  record Finished(Manifest manifest) implements RunAnswer {}

  /** Components in the order of their names, as canonical JSON has them. */
  record Progress(String epoch, long linesRead, String runKey, String status, String step)
      implements RunAnswer {
    static Progress of(String epoch, Optional<PendingRun> ticket) {
      return new Progress(
          epoch,
          ticket.map(each -> each.lines().get()).orElse(0L),
          ticket.map(PendingRun::runKey).orElse(""),
          "computing",
          ticket.map(PendingRun::step).orElse("artifacts"));
    }
  }

  default Answer answer() {
    return switch (this) {
      case Finished(Manifest manifest) ->
          Answer.bytes(200, "application/json", manifest.bytes())
              .with("ETag", "\"" + manifest.text("commitment") + "\"");
      case Progress progress -> Answer.json(202, progress).with("Retry-After", "1");
    };
  }

  /** Of {@link Manifest#bytes}; amounts are digits as text. */
  static Schema manifestSchema() {
    var fields = new LinkedHashMap<String, Schema>();
    List<String> always =
        List.of("status", "epoch", "accounting", "ledger", "policy", "run_key", "commitment");
    always.forEach(name -> fields.put(name, Schema.TEXT));
    List.of("policy_id", "rounding", "asset", "root", "score_total")
        .forEach(name -> fields.put(name, Schema.TEXT));
    List.of("pool_minor", "paid_minor", "held_minor", "residual_minor")
        .forEach(name -> fields.put(name, Schema.TEXT));
    List.of("version", "policy_version", "actors", "held_actors", "lines")
        .forEach(name -> fields.put(name, Schema.WHOLE));
    fields.put("residual", Schema.map(Schema.TEXT));
    fields.put("pools", Schema.list(Schema.map(Schema.TEXT)));
    fields.put("reason", Schema.map(Schema.TEXT));
    fields.put("attestations", Schema.list(Schema.map(Schema.TEXT)));
    return Schema.object(fields, always);
  }
}
