package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A consumer's word about a message, for one ({@code POST /v1/VERB/{msg_id}}) and for many ({@code
 * POST /v1/VERB}); the verbs are {@link Ack}, {@link Nack} and {@link Extend}.
 *
 * <p>Threading: immutable.
 */
public record Settle(
    MailboxContext desk, String op, Form form, Form entry, Form entries, Reading reading) {
  private static final Field MSG_ID = Field.text("msg_id");

  /** Makes a verb's command of an id and a form. */
  interface Reading {
    Command read(Caller caller, Ulid id, Fields form);
  }

  /**
   * @param fields of the verb, beside the message's id
   */
  static Settle of(MailboxContext desk, String op, Reading reading, Field... fields) {
    Form entry =
        MailboxContext.form(
            Stream.concat(Stream.of(MSG_ID), Stream.of(fields)).toArray(Field[]::new));
    return new Settle(
        desk,
        op,
        MailboxContext.form(fields),
        entry,
        MailboxContext.form(Field.objects("entries", entry, MailboxContext.BATCH_MAX)),
        reading);
  }

  Blocking one() {
    return exchange -> {
      Ulid id = desk.id(exchange.param("msg_id"));
      Fields read = desk.form(exchange, form);
      Optional<Answer> elsewhere = desk.elsewhere(exchange, id.shard());
      if (elsewhere.isPresent()) {
        return elsewhere.get();
      }
      settle(Caller.of(exchange), exchange.param("msg_id"), read);
      return Answer.json(200, MailboxJsonAnswer.OK);
    };
  }

  /** Returns when it is done. */
  public void settle(Caller caller, String msgId, Fields read)
      throws Refusal, InterruptedException {
    Ulid id = desk.id(msgId);
    Command command = reading.read(caller, id, read);
    Instant begun = desk.time().now();
    Outcome outcome = desk.shards().ask(id.shard(), command);
    observe(begun);
    MailboxContext.granted(outcome);
  }

  /** Each entry is answered by itself, in order. */
  Blocking batch() {
    return exchange -> {
      var errands = new ArrayList<Shards.Errand>();
      for (Fields each : MailboxContext.some(desk.form(exchange, entries), "entries")) {
        Ulid id = desk.id(each.text("msg_id"));
        errands.add(new Shards.Errand(id.shard(), reading.read(Caller.of(exchange), id, each)));
      }
      Instant begun = desk.time().now();
      var results = new ArrayList<String>();
      for (Reply<Outcome> reply : desk.shards().submitAll(errands)) {
        results.add(
            desk.shards().await(reply) instanceof Outcome.Refused(MailboxFault fault)
                ? MailboxJsonAnswer.refused(fault)
                : MailboxJsonAnswer.OK);
      }
      observe(begun);
      return Answer.json(200, MailboxJsonAnswer.results(results));
    };
  }

  private void observe(Instant begun) {
    if (op.equals(Ack.OP)) {
      double seconds = Duration.between(begun, desk.time().now()).toNanos() / 1e9;
      desk.metrics().ackSeconds().observe(seconds);
    }
  }
}
