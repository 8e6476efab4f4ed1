package dev.ron.rewarder.api;

import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import java.util.List;

/**
 * {@code GET /rewarder/epochs}: all runs.
 *
 * <p>Threading: immutable.
 */
record Epochs(RewarderContext context) implements Verb<Verb.None, Epochs.Reply> {
  record Run(String epoch, String runKey, String status) {}

  record Reply(List<Run> epochs) {}

  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public Reply handle(None request) {
    return new Reply(context.rewarder().runs().all().stream().map(Epochs::run).toList());
  }

  private static Run run(RunBook.Entry entry) {
    Manifest manifest = entry.manifest();
    String status = manifest == null ? "computing" : manifest.text("status");
    return new Run(entry.epoch(), entry.runKey(), status);
  }
}
