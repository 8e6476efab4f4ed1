package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.Query;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/dlq}: an operator lists, shows, copies and drops dead letters; {@link Reprocess} sends
 * them again.
 *
 * <p>Threading: immutable.
 */
public record DeadLetterRoutes(MailboxContext desk, Send send) {
  private static final String OP = "dlq";
  public static final int LIST_MAX = 1000;

  /** {@code GET /v1/dlq?topic=&reason=&limit=&after=}, without payloads, by id. */
  Blocking list() {
    return exchange -> {
      Query query = exchange.query();
      String limit = query.first("limit");
      int max = limit != null && limit.matches("[0-9]{1,4}") ? Integer.parseInt(limit) : 100;
      DeadLetterFilter filter =
          filter(
              Caller.of(exchange),
              query.first("topic"),
              query.first("reason"),
              query.first("after"));
      return desk.aged(
          Answer.json(
              200, MailboxJsonAnswer.deadLetters(listed(filter, Math.clamp(max, 1, LIST_MAX)))));
    };
  }

  /** Those of all shards, by id. */
  public List<DeadLetter> listed(DeadLetterFilter filter, int max)
      throws Refusal, InterruptedException {
    var letters = new ArrayList<DeadLetter>();
    for (int shard = 0; shard < desk.shards().count(); shard++) {
      letters.addAll(seen(desk.shards().look(shard, each -> each.deadLetters(filter, max))));
    }
    letters.sort(Comparator.comparing(letter -> letter.message().id()));
    return letters.subList(0, Math.min(max, letters.size()));
  }

  /** {@code GET /v1/dlq/{msg_id}}, with the payload. */
  Blocking show() {
    return exchange -> {
      return desk.aged(Answer.json(200, MailboxJsonAnswer.deadLetter(shown(exchange), true)));
    };
  }

  /** {@code DELETE /v1/dlq/{msg_id}}. */
  Blocking drop() {
    return exchange ->
        Answer.json(
            200, MailboxJsonAnswer.counted(drop(Caller.of(exchange), exchange.param("msg_id"))));
  }

  public int drop(Caller caller, String msgId) throws Refusal, InterruptedException {
    Ulid id = shown(caller, msgId).message().id();
    var command = new Command.Drop(DeadLetterFilter.only(id), 1);
    return counted(desk.shards().ask(id.shard(), command));
  }

  /**
   * {@code POST /v1/dlq/{msg_id}/copy}: a new message with what the form says and the rest of the
   * dead letter, which stays until it is dropped. The form is that of a send, all but {@code
   * idem_key} optional.
   */
  Blocking copy() {
    return exchange -> {
      DeadLetter letter = shown(exchange);
      var message = letter.message();
      Map<String, @Nullable Object> tree =
          Send.FORM.tree(exchange.body().collect(desk.formBytesMax()));
      fallback(tree, "topic", message.topic());
      fallback(tree, "payload_b64", letter.body());
      fallback(tree, "attrs", message.attrs());
      if (!message.group().isEmpty()) {
        fallback(tree, "group", message.group());
      }
      var manner = new Send.Manner(Caller.of(exchange), true, null);
      Outcome.Accepted sent = send.send(send.letter(manner, Send.FORM.read(tree)));
      return desk.durable(
          Answer.json(200, MailboxJsonAnswer.accepted(sent.id(), sent.duplicate())));
    };
  }

  /** A null that was sent stays, to be refused. */
  private static void fallback(Map<String, @Nullable Object> tree, String name, Object value) {
    if (!tree.containsKey(name)) {
      tree.put(name, value);
    }
  }

  private DeadLetter shown(Exchange exchange) throws Refusal, InterruptedException {
    return shown(Caller.of(exchange), exchange.param("msg_id"));
  }

  public DeadLetter shown(Caller caller, String msgId) throws Refusal, InterruptedException {
    Ulid id = desk.id(msgId);
    DeadLetter found =
        seen(desk.shards().look(id.shard(), shard -> shard.deadLetter(id)))
            .orElseThrow(() -> Refusal.of(new MailboxFault.UnknownMessage(id.toString())));
    desk.rights().require(caller, OP, found.message().topic(), 0);
    return found;
  }

  public DeadLetterFilter filter(
      Caller caller, @Nullable String topic, @Nullable String reason, @Nullable String after)
      throws Refusal {
    String checked = topic == null ? null : MailboxContext.topic(topic);
    desk.rights().require(caller, OP, checked, 0);
    return new DeadLetterFilter(
        null,
        checked,
        reason == null ? null : reason(reason),
        after == null ? null : desk.id(after));
  }

  private static DeadLetterReason reason(String code) throws Refusal {
    return DeadLetterReason.of(code)
        .orElseThrow(() -> MailboxContext.wrong("reason", "is none a message can die of"));
  }

  private static <T> T seen(QueryResult<T> looked) throws Refusal {
    return switch (looked) {
      case QueryResult.Seen<T>(T value) -> value;
      case QueryResult.Refused<T>(MailboxFault fault) -> throw Refusal.of(fault);
    };
  }

  private static int counted(Outcome outcome) throws Refusal {
    return ((Outcome.Counted) MailboxContext.granted(outcome)).count();
  }
}
