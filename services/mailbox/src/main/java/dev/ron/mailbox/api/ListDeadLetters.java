package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.Query;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.DeadLetterReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/dlq}: dead letters of all shards, without payloads, by id.
 *
 * <p>Threading: immutable.
 */
public record ListDeadLetters(MailboxContext context)
    implements FormVerb<ListDeadLetters.Request, ListDeadLetters.Reply> {
  static final int LIMIT_MAX = 1000;
  private static final int LIMIT_DEFAULT = 100;
  private static final Form FORM =
      MailboxContext.form(
          Field.text("topic").optional(),
          Field.text("reason").optional(),
          Field.number("limit", 1, LIMIT_MAX).optional(),
          Field.text("after").optional());

  public record Request(DeadLetterFilter filter, int limit) {}

  public record Reply(List<DeadLetter> messages) {}

  @Override
  public Form form() {
    return FORM;
  }

  /** A limit that cannot be read is the default; one that is too large is the largest. */
  @Override
  public Request parse(Exchange exchange) throws Refusal {
    Query query = exchange.query();
    String limit = query.first("limit");
    int max =
        limit != null && limit.matches("[0-9]{1,4}") ? Integer.parseInt(limit) : LIMIT_DEFAULT;
    DeadLetterFilter filter =
        filter(
            context,
            Caller.of(exchange),
            query.first("topic"),
            query.first("reason"),
            query.first("after"));
    return new Request(filter, Math.clamp(max, 1, LIMIT_MAX));
  }

  @Override
  public Request request(Caller caller, Fields read) throws Refusal {
    DeadLetterFilter filter =
        filter(
            context,
            caller,
            read.textOrNull("topic"),
            read.textOrNull("reason"),
            read.textOrNull("after"));
    return new Request(filter, (int) read.number("limit", LIMIT_DEFAULT));
  }

  /** Those that a caller means, if it may: of a topic, or of all. */
  static DeadLetterFilter filter(
      MailboxContext context,
      Caller caller,
      @Nullable String topic,
      @Nullable String reason,
      @Nullable String after)
      throws Refusal {
    MailboxRights rights = context.rights();
    if (topic == null) {
      rights.requireAny(caller, ShowDeadLetter.OP);
    }
    return new DeadLetterFilter(
        caller.owner(),
        null,
        topic == null
            ? null
            : rights.require(caller, ShowDeadLetter.OP, MailboxContext.topic(topic), 0),
        reason == null ? null : reason(reason),
        after == null ? null : context.id(after));
  }

  private static DeadLetterReason reason(String code) throws Refusal {
    return DeadLetterReason.of(code)
        .orElseThrow(() -> MailboxContext.wrong("reason", "is none a message can die of"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    int max = request.limit();
    var found = new ArrayList<DeadLetter>();
    for (int shard = 0; shard < context.shards().count(); shard++) {
      found.addAll(
          MailboxContext.seen(
              context.shards().look(shard, each -> each.deadLetters(request.filter(), max))));
    }
    found.sort(Comparator.comparing(each -> each.message().id()));
    return new Reply(
        found.stream().limit(max).map(each -> each.shownTo(request.filter().owner())).toList());
  }

  @Override
  public Answer write(Reply reply) {
    return context.aged(Answer.json(200, MailboxJsonAnswer.deadLetters(reply.messages())));
  }
}
