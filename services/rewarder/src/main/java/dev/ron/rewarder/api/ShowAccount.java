package dev.ron.rewarder.api;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.core.payout.Account;

/**
 * {@code GET /rewarder/ledger/{account}}: one account of the embedded ledger.
 *
 * <p>Threading: immutable.
 */
record ShowAccount(RewarderContext context)
    implements Verb<ShowAccount.Request, ShowAccount.Reply> {
  record Reply(String account, String balanceMinor, String creditsMinor, String debitsMinor) {}

  record Request(Owner owner, String name) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(EpochName.owner(exchange), exchange.param("account"));
  }

  @Override
  public Reply handle(Request request) throws Refusal {
    Account account =
        ShowLedger.embedded(context)
            .account(request.owner(), request.name())
            .orElseThrow(() -> RewarderContext.unknown("account of that name"));
    return new Reply(
        request.name(),
        account.balance(),
        account.credits().toString(),
        account.debits().toString());
  }
}
