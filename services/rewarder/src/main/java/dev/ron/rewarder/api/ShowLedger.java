package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.payout.Account;
import dev.ron.rewarder.ledger.EmbeddedLedger;

/**
 * {@code GET /rewarder/ledger}: the embedded ledger's sums; credits always equal debits.
 *
 * <p>Threading: immutable.
 */
record ShowLedger(RewarderContext context) implements Verb<Verb.None, ShowLedger.Reply> {
  record Reply(int accounts, String creditsMinor, String debitsMinor, String sumMinor) {}

  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public Reply handle(None request) throws Refusal {
    EmbeddedLedger ledger = embedded(context);
    Account sums = ledger.sums();
    return new Reply(
        ledger.accountCount(), sums.credits().toString(), sums.debits().toString(), sums.balance());
  }

  static EmbeddedLedger embedded(RewarderContext context) throws Refusal {
    return context
        .rewarder()
        .settling()
        .ledger()
        .orElseThrow(() -> RewarderContext.unknown("embedded ledger"));
  }
}
