package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.payout.Settlements;
import dev.ron.rewarder.settle.SettlementStatus;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /rewarder/epochs/{epoch}/settlement}: how far a run is paid.
 *
 * <p>Threading: immutable.
 */
record Settlement(RewarderContext context) implements Verb<EpochName, Settlement.Reply> {
  /**
   * @param reason why payment has stopped, if it has
   */
  record Reply(
      String epoch,
      long lines,
      @Nullable String reason,
      String runKey,
      long settledBefore,
      String state) {}

  @Override
  public EpochName parse(Exchange exchange) throws Refusal {
    return EpochName.of(exchange);
  }

  @Override
  public Reply handle(EpochName epoch) throws Refusal {
    Manifest manifest = context.run(epoch).manifest();
    SettlementStatus settling = context.rewarder().settling();
    String runKey = manifest.runKey();
    long lines = manifest.number("lines");
    Settlements.Progress at =
        settling.outbox().of(runKey).orElse(new Settlements.Progress(runKey, 1, lines));
    String stalled = at.done() ? null : settling.stalled().get(runKey);
    String state =
        manifest.status() != RunStatus.CLOSED
            ? "never"
            : at.done() ? "settled" : stalled != null ? "stalled" : "settling";
    return new Reply(epoch.toString(), lines, stalled, runKey, at.next(), state);
  }
}
