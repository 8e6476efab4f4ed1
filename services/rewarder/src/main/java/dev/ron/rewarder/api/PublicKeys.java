package dev.ron.rewarder.api;

import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import java.util.List;

/**
 * {@code GET /rewarder/keys}: the keys that runs are signed with.
 *
 * <p>Threading: immutable.
 */
record PublicKeys(RewarderContext context) implements Verb<Verb.None, PublicKeys.Reply> {
  record Reply(List<String> keys) {}

  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public Reply handle(None request) {
    return new Reply(context.attestor().publicKeys());
  }
}
