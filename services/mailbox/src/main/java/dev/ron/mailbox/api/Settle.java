package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Ulid;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * {@code POST /v1/VERB/{msg_id}}: what a consumer says about a message; the verbs are {@link Ack},
 * {@link Nack} and {@link Extend}.
 *
 * <p>Threading: immutable.
 *
 * @param body what is said beside the message's id
 * @param form the same with the id, for a batch and for gRPC
 */
public record Settle(MailboxContext context, String op, Form body, Form form, ToCommand toCommand)
    implements ShardVerb<Settle.Request, Settle.Reply> {
  private static final Field MSG_ID = Field.text("msg_id");

  /** Makes a verb's command of an id and a form. */
  interface ToCommand {
    Command of(Caller caller, Ulid id, Fields form);
  }

  public record Request(int shard, Command command) implements ShardVerb.Request {}

  /** It is done. */
  public record Reply(boolean ok) implements SettleBatch.Result {
    static final Reply OK = new Reply(true);
  }

  /**
   * @param fields of the verb, beside the message's id
   */
  static Settle of(MailboxContext context, String op, ToCommand toCommand, Field... fields) {
    Form form =
        MailboxContext.form(
            Stream.concat(Stream.of(MSG_ID), Stream.of(fields)).toArray(Field[]::new));
    return new Settle(context, op, MailboxContext.form(fields), form, toCommand);
  }

  @Override
  public Request parse(Exchange exchange) throws IOException {
    Ulid id = context.id(exchange.param("msg_id"));
    return request(Caller.of(exchange), id, context.form(exchange, body));
  }

  @Override
  public Request request(Caller caller, Fields read) throws Refusal {
    return request(caller, context.id(read.text("msg_id")), read);
  }

  private Request request(Caller caller, Ulid id, Fields read) {
    return new Request(id.shard(), toCommand.of(caller, id, read));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    Instant begun = context.time().now();
    Outcome outcome = context.shards().ask(request.shard(), request.command());
    observe(begun);
    MailboxContext.granted(outcome);
    return Reply.OK;
  }

  @Override
  public Answer write(Reply reply) {
    return Answer.json(200, MailboxJsonAnswer.OK);
  }

  void observe(Instant begun) {
    if (op.equals(Ack.OP)) {
      double seconds = Duration.between(begun, context.time().now()).toNanos() / 1e9;
      context.metrics().ackSeconds().observe(seconds);
    }
  }
}
