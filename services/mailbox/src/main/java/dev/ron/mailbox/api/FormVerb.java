package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import java.io.IOException;

/**
 * A verb that HTTP and gRPC share: both read its request by the same form and have it handled by
 * the same method; only how the reply is written differs.
 *
 * <p>Threading: immutable.
 */
public interface FormVerb<Q, A> extends Verb<Q, A> {
  MailboxContext context();

  /** All that a request says. Over HTTP some of it may stand in the path or the query instead. */
  Form form();

  /** The part of {@link #parse} that does not depend on the protocol. */
  Q request(Caller caller, Fields form) throws Refusal;

  @Override
  default Q parse(Exchange exchange) throws IOException {
    return request(Caller.of(exchange), context().form(exchange, form()));
  }
}
