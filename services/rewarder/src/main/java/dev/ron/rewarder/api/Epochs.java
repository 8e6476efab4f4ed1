package dev.ron.rewarder.api;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
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
record Epochs(RewarderContext context) implements Verb<Owner, Epochs.Reply> {
  record Run(String epoch, String runKey, String status) {}

  record Reply(List<Run> epochs) {}

  @Override
  public Owner parse(Exchange exchange) throws Refusal {
    return EpochName.owner(exchange);
  }

  @Override
  public Reply handle(Owner owner) {
    return new Reply(
        context.rewarder().runs().all().stream()
            .filter(entry -> owner.owns(entry.epoch()))
            .map(entry -> run(owner, entry))
            .toList());
  }

  private static Run run(Owner owner, RunBook.Entry entry) {
    Manifest manifest = entry.manifest();
    String status = manifest == null ? "computing" : manifest.text("status");
    return new Run(owner.shown(entry.epoch()), entry.runKey(), status);
  }
}
