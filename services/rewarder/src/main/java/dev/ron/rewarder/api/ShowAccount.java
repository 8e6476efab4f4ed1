package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.payout.Account;

/**
 * {@code GET /rewarder/ledger/{account}}: one account of the embedded ledger.
 *
 * <p>Threading: immutable.
 */
record ShowAccount(RewarderContext context) implements Verb<String, ShowAccount.Reply> {
  record Reply(String account, String balanceMinor, String creditsMinor, String debitsMinor) {}

  @Override
  public String parse(Exchange exchange) throws Refusal {
    return exchange.param("account");
  }

  @Override
  public Reply handle(String name) throws Refusal {
    Account account =
        ShowLedger.embedded(context)
            .account(name)
            .orElseThrow(() -> RewarderContext.unknown("account of that name"));
    return new Reply(
        name, account.balance(), account.credits().toString(), account.debits().toString());
  }
}
