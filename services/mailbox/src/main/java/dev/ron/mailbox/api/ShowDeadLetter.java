package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.message.Ulid;

/**
 * {@code GET /v1/dlq/{msg_id}}: a dead letter with its payload.
 *
 * <p>The capability can only be held against the topic, so it is checked once the shard has said
 * which that is.
 *
 * <p>Threading: immutable.
 */
public record ShowDeadLetter(MailboxContext context)
    implements FormVerb<ShowDeadLetter.Request, DeadLetter> {
  static final String OP = "dlq";
  static final Form FORM = MailboxContext.form(Field.text("msg_id"));

  public record Request(Caller caller, Ulid id) {}

  @Override
  public Form form() {
    return FORM;
  }

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(Caller.of(exchange), context.id(exchange.param("msg_id")));
  }

  @Override
  public Request request(Caller caller, Fields read) throws Refusal {
    return new Request(caller, context.id(read.text("msg_id")));
  }

  @Override
  public DeadLetter handle(Request request) throws Refusal, InterruptedException {
    Ulid id = request.id();
    DeadLetter found =
        MailboxContext.seen(context.shards().look(id.shard(), shard -> shard.deadLetter(id)))
            .orElseThrow(() -> Refusal.of(new MailboxFault.UnknownMessage(id.toString())));
    MailboxFault beyond =
        context.rights().reach(request.caller(), OP).refusal(id, found.message().topic());
    if (beyond != null) {
      throw Refusal.of(beyond);
    }
    return found.shownTo(request.caller().owner());
  }

  @Override
  public Answer write(DeadLetter found) {
    return context.aged(Answer.json(200, MailboxJsonAnswer.deadLetter(found, true)));
  }
}
