package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Envelope;
import dev.ron.mailbox.task.Handed;
import dev.ron.mailbox.task.Wish;
import dev.ron.mailbox.wire.Fields;
import dev.ron.mailbox.wire.JsonAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST /v1/recv}: hands out messages, and waits for the first if there is none.
 *
 * <p>Threading: immutable.
 */
record Receive(Desk desk) {
  private static final long BYTES_DEFAULT = 4L << 20;
  private static final long BYTES_MAX = 64L << 20;

  /** Below the idle limits of most proxies in between. */
  static final Duration WAIT_MAX = Duration.ofSeconds(50);

  Blocking handler() {
    return exchange -> {
      Caller caller = Caller.of(exchange);
      Fields form = desk.form(exchange);
      Wish wish = wish(caller, form);
      int home = desk.shards().topics().home(wish.topic());
      Optional<Answer> elsewhere = desk.elsewhere(exchange, home);
      return elsewhere.isPresent()
          ? elsewhere.get()
          : Answer.json(200, JsonAnswer.messages(receive(wish, form)));
    };
  }

  List<Envelope> receive(Caller caller, Fields form) throws Refusal, InterruptedException {
    return receive(wish(caller, form), form);
  }

  private List<Envelope> receive(Wish wish, Fields form) throws Refusal, InterruptedException {
    Duration wait = Duration.ofMillis(form.number("wait_ms", 0, 0, WAIT_MAX.toMillis()));
    form.end();
    return switch (desk.shards().receive(wish, wait)) {
      case Handed.Messages(List<Envelope> envelopes) -> envelopes;
      case Handed.Refused(MailboxFault fault) -> throw Problems.refusal(fault);
    };
  }

  Wish wish(Caller caller, Fields form) throws Refusal {
    String topic = Desk.topic(form.text("topic"), "topic");
    desk.rights().require(caller, "recv", topic, 0);
    return new Wish(
        topic,
        desk.visibilityMillis(form),
        (int) form.number("max_messages", 1, 1, Desk.BATCH_MAX),
        form.number("max_bytes", BYTES_DEFAULT, 1, BYTES_MAX));
  }
}
