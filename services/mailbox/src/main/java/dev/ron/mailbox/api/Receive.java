package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
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
public record Receive(MailboxContext desk, Form form) {
  private static final long BYTES_DEFAULT = 4L << 20;
  private static final long BYTES_MAX = 64L << 20;

  static final Field MESSAGES =
      Field.number("max_messages", 1, MailboxContext.BATCH_MAX).optional();
  static final Field BYTES = Field.number("max_bytes", 1, BYTES_MAX).optional();

  /** Below the idle limits of most proxies in between. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(50);

  public Receive(MailboxContext desk) {
    this(
        desk,
        MailboxContext.form(
            MailboxContext.TOPIC,
            desk.visibility(),
            MESSAGES,
            BYTES,
            Field.number("wait_ms", 0, WAIT_MAX.toMillis()).optional()));
  }

  Blocking handler() {
    return exchange -> {
      Fields read = desk.form(exchange, form);
      ReceiveRequest wish = wish(Caller.of(exchange), read);
      int home = desk.shards().topics().home(wish.topic());
      Optional<Answer> elsewhere = desk.elsewhere(exchange, home);
      return elsewhere.isPresent()
          ? elsewhere.get()
          : Answer.json(200, MailboxJsonAnswer.messages(receive(wish, read)));
    };
  }

  public List<Envelope> receive(Caller caller, Fields read) throws Refusal, InterruptedException {
    return receive(wish(caller, read), read);
  }

  private List<Envelope> receive(ReceiveRequest wish, Fields read)
      throws Refusal, InterruptedException {
    Duration wait = Duration.ofMillis(read.number("wait_ms", 0));
    return switch (desk.shards().receive(wish, wait)) {
      case ReceiveResult.Messages(List<Envelope> envelopes) -> envelopes;
      case ReceiveResult.Refused(MailboxFault fault) -> throw Refusal.of(fault);
    };
  }

  ReceiveRequest wish(Caller caller, Fields read) throws Refusal {
    String topic = read.text("topic");
    desk.rights().require(caller, "recv", topic, 0);
    return new ReceiveRequest(
        topic,
        desk.visibilityMillis(read),
        (int) read.number("max_messages", 1),
        read.number("max_bytes", BYTES_DEFAULT));
  }
}
