package dev.ron.rewarder.api;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.payout.Account;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.ledger.EmbeddedLedger;

/**
 * {@code GET /rewarder/ledger}: the embedded ledger's sums over what its caller owns; credits
 * always equal debits.
 *
 * <p>Threading: immutable.
 */
record ShowLedger(RewarderContext context) implements Verb<Owner, ShowLedger.Reply> {
  record Reply(int accounts, String creditsMinor, String debitsMinor, String sumMinor) {}

  @Override
  public Owner parse(Exchange exchange) throws Refusal {
    return EpochName.owner(exchange);
  }

  @Override
  public Reply handle(Owner owner) throws Refusal {
    DoubleEntry.Sums sums = embedded(context).sums(owner);
    Account all = sums.all();
    return new Reply(
        sums.accounts(), all.credits().toString(), all.debits().toString(), all.balance());
  }

  static EmbeddedLedger embedded(RewarderContext context) throws Refusal {
    return context
        .rewarder()
        .settling()
        .ledger()
        .orElseThrow(() -> RewarderContext.unknown("embedded ledger"));
  }
}
