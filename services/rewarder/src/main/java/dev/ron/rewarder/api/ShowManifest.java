package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.epoch.Runs;
import java.util.Optional;

/**
 * {@code GET /rewarder/epochs/{epoch}}: the manifest; 202 while it is computed; the fault if the
 * last try failed.
 *
 * <p>Threading: immutable.
 */
record ShowManifest(RewarderContext context) implements Verb<EpochName, RunAnswer> {
  @Override
  public EpochName parse(Exchange exchange) throws Refusal {
    return EpochName.of(exchange);
  }

  @Override
  public RunAnswer handle(EpochName epoch) throws Refusal {
    Runs runs = context.rewarder().runs();
    Optional<RunBook.Entry> entry = runs.shown(epoch.kept());
    if (entry.isEmpty()) {
      throw Refusal.of(
          runs.failure(epoch.kept()).orElse(new RewarderFault.Unknown("run of epoch " + epoch)));
    }
    Manifest manifest = entry.get().manifest();
    return manifest == null
        ? RunAnswer.Progress.of(epoch.toString(), runs.ticket(entry.get()))
        : new RunAnswer.Finished(manifest);
  }

  @Override
  public Answer write(RunAnswer reply) {
    return reply.answer();
  }
}
