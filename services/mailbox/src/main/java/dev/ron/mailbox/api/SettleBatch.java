package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.shard.Shards;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code POST /v1/VERB}: {@link Settle} for up to 100 messages, each answered by itself, in order.
 *
 * <p>Threading: immutable.
 */
record SettleBatch(Settle settle, Form form)
    implements FormVerb<SettleBatch.Request, SettleBatch.Reply> {
  record Request(List<Shards.ShardCommand> commands) {}

  record Reply(List<Result> results) {}

  /** What became of one entry. */
  sealed interface Result permits Settle.Reply, RefusedEntry {}

  SettleBatch(Settle settle) {
    this(
        settle,
        MailboxContext.form(Field.objects("entries", settle.form(), MailboxContext.BATCH_MAX)));
  }

  @Override
  public MailboxContext context() {
    return settle.context();
  }

  @Override
  public Request request(Caller caller, Fields read) throws Refusal {
    var commands = new ArrayList<Shards.ShardCommand>();
    for (Fields each : MailboxContext.some(read, "entries")) {
      Settle.Request one = settle.request(caller, each);
      commands.add(new Shards.ShardCommand(one.shard(), one.command()));
    }
    return new Request(commands);
  }

  @Override
  public Reply handle(Request request) throws InterruptedException {
    Shards shards = context().shards();
    Instant begun = context().time().now();
    var results = new ArrayList<Result>();
    for (Outcome outcome : shards.askAll(request.commands())) {
      results.add(
          outcome instanceof Outcome.Refused(MailboxFault fault)
              ? RefusedEntry.of(fault)
              : Settle.Reply.OK);
    }
    settle.observe(begun);
    return new Reply(results);
  }

  @Override
  public Answer write(Reply reply) {
    return Answer.json(200, MailboxJsonAnswer.results(reply.results(), SettleBatch::json));
  }

  private static String json(Result result) {
    return switch (result) {
      case Settle.Reply _ -> MailboxJsonAnswer.OK;
      case RefusedEntry refused -> MailboxJsonAnswer.refused(refused);
    };
  }
}
