package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Exchange;

/**
 * A verb about one dead letter, which it finds as {@link ShowDeadLetter} does.
 *
 * <p>Threading: immutable.
 */
interface DeadLetterVerb<A> extends FormVerb<ShowDeadLetter.Request, A> {
  ShowDeadLetter show();

  @Override
  default MailboxContext context() {
    return show().context();
  }

  @Override
  default Form form() {
    return show().form();
  }

  @Override
  default ShowDeadLetter.Request parse(Exchange exchange) throws Refusal {
    return show().parse(exchange);
  }

  @Override
  default ShowDeadLetter.Request request(Caller caller, Fields read) throws Refusal {
    return show().request(caller, read);
  }
}
