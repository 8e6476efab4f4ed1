package dev.ron.mailbox.cluster.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.api.Caller;
import dev.ron.mailbox.api.MailboxContext;

/**
 * A verb about the groups of the cluster, which are the operator's.
 *
 * <p>Threading: immutable.
 */
interface GroupVerb<Q, A> extends Verb<Q, A> {
  MailboxContext context();

  /** Refuses a caller that is not an operator, before its body is read. */
  default void requireOperator(Exchange exchange) throws Refusal {
    context().rights().requireOperator(Caller.of(exchange), "cluster");
  }
}
