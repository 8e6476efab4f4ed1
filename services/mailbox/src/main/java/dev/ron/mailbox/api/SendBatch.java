package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.shard.Shards;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/send/batch}: up to 100 messages, each answered by itself, in order.
 *
 * <p>Threading: immutable.
 */
public record SendBatch(Send send) implements FormVerb<SendBatch.Request, SendBatch.Reply> {
  private static final Form FORM =
      MailboxContext.form(Field.objects("messages", Send.FORM, MailboxContext.BATCH_MAX));

  /**
   * @param refused is told of every message that is refused, for the metrics
   */
  public record Request(List<Send.Request> messages, Consumer<Refusal> refused) {}

  public record Reply(List<Result> results) {}

  /** What became of one message. */
  public sealed interface Result permits Send.Reply, RefusedEntry {}

  @Override
  public MailboxContext context() {
    return send.context();
  }

  @Override
  public Form form() {
    return FORM;
  }

  @Override
  public Request parse(Exchange exchange) throws IOException {
    Fields form = FORM.read(exchange.body().collect(context().batchBytesMax()));
    return request(Send.Terms.of(exchange), form, exchange::refused);
  }

  @Override
  public Request request(Caller caller, Fields form) throws Refusal {
    return request(new Send.Terms(caller, false, null), form, _ -> {});
  }

  private Request request(Send.Terms terms, Fields form, Consumer<Refusal> refused) throws Refusal {
    var messages = new ArrayList<Send.Request>();
    for (Fields each : MailboxContext.some(form, "messages")) {
      messages.add(send.request(terms, each));
    }
    return new Request(messages, refused);
  }

  /** All are asked before the first is waited for, so that they share a flush. */
  @Override
  public Reply handle(Request request) throws InterruptedException {
    Shards shards = context().shards();
    Instant begun = context().time().now();
    var known = new ArrayList<@Nullable Outcome>();
    var commands = new ArrayList<Shards.ShardCommand>();
    for (Send.Request each : request.messages()) {
      Outcome first = shards.known(each.formerly(), each.command());
      known.add(first);
      if (first == null) {
        commands.add(new Shards.ShardCommand(each.shard(), each.command()));
      }
    }
    Iterator<Outcome> answered = shards.askAll(commands).iterator();
    var results = new ArrayList<Result>();
    for (Outcome first : known) {
      Outcome outcome = first == null ? answered.next() : first;
      send.count(outcome, begun);
      results.add(result(outcome, request.refused()));
    }
    return new Reply(results);
  }

  private static Result result(Outcome outcome, Consumer<Refusal> refused) {
    if (outcome instanceof Outcome.Refused(MailboxFault fault)) {
      refused.accept(Refusal.of(fault));
      return RefusedEntry.of(fault);
    }
    return Send.Reply.of(outcome);
  }

  @Override
  public Answer write(Reply reply) {
    return context()
        .durable(Answer.json(200, MailboxJsonAnswer.results(reply.results(), SendBatch::json)));
  }

  private static String json(Result result) {
    return switch (result) {
      case Send.Reply sent -> MailboxJsonAnswer.sent(sent);
      case RefusedEntry refused -> MailboxJsonAnswer.refused(refused);
    };
  }
}
