package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.shard.ReceiveRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST /v1/recv}: hands out messages, and waits for the first if there is none.
 *
 * <p>Threading: immutable.
 */
public record Receive(MailboxContext desk) {
  private static final long BYTES_DEFAULT = 4L << 20;
  private static final long BYTES_MAX = 64L << 20;

  /** Below the idle limits of most proxies in between. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(50);

  Blocking handler() {
    return exchange -> {
      Caller caller = Caller.of(exchange);
      MailboxForm form = desk.form(exchange);
      ReceiveRequest wish = wish(caller, form);
      int home = desk.shards().topics().home(wish.topic());
      Optional<Answer> elsewhere = desk.elsewhere(exchange, home);
      return elsewhere.isPresent()
          ? elsewhere.get()
          : Answer.json(200, MailboxJsonAnswer.messages(receive(wish, form)));
    };
  }

  public List<Envelope> receive(Caller caller, MailboxForm form)
      throws Refusal, InterruptedException {
    return receive(wish(caller, form), form);
  }

  private List<Envelope> receive(ReceiveRequest wish, MailboxForm form)
      throws Refusal, InterruptedException {
    Duration wait = Duration.ofMillis(form.number("wait_ms", 0, 0, WAIT_MAX.toMillis()));
    form.end();
    return switch (desk.shards().receive(wish, wait)) {
      case ReceiveResult.Messages(List<Envelope> envelopes) -> envelopes;
      case ReceiveResult.Refused(MailboxFault fault) -> throw Refusal.of(fault);
    };
  }

  ReceiveRequest wish(Caller caller, MailboxForm form) throws Refusal {
    String topic = MailboxContext.topic(form.text("topic"), "topic");
    desk.rights().require(caller, "recv", topic, 0);
    return new ReceiveRequest(
        topic,
        desk.visibilityMillis(form),
        (int) form.number("max_messages", 1, 1, MailboxContext.BATCH_MAX),
        form.number("max_bytes", BYTES_DEFAULT, 1, BYTES_MAX));
  }
}
