package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Answer;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.shard.ReceiveRequest;
import java.time.Duration;
import java.util.List;

/**
 * {@code POST /v1/recv}: hands out messages, and waits for the first if there is none.
 *
 * <p>Threading: immutable.
 */
public record Receive(MailboxContext context, Form form)
    implements ShardVerb<Receive.Request, Receive.Reply> {
  private static final long BYTES_DEFAULT = 4L << 20;
  private static final long BYTES_MAX = 64L << 20;

  static final Field MESSAGES =
      Field.number("max_messages", 1, MailboxContext.BATCH_MAX).optional();
  static final Field BYTES = Field.number("max_bytes", 1, BYTES_MAX).optional();

  /** Below the idle limits of most proxies in between. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(50);

  public Receive(MailboxContext context) {
    this(
        context,
        MailboxContext.form(
            MailboxContext.TOPIC,
            context.visibility(),
            MESSAGES,
            BYTES,
            Field.number("wait_ms", 0, WAIT_MAX.toMillis()).optional()));
  }

  /** Where it is asked first: the shard that the topic's messages without a sticky key go to. */
  public record Request(TopicOwner owner, ReceiveRequest wanted, Duration pollWait, int shard)
      implements ShardVerb.Request {}

  /** Empty if none came in time. */
  public record Reply(List<Envelope> messages) {}

  @Override
  public Request request(Caller caller, Fields form) throws Refusal {
    ReceiveRequest wanted = wanted(caller, form);
    return new Request(
        caller.owner(),
        wanted,
        Duration.ofMillis(form.number("wait_ms", 0)),
        context.shards().topics().mainShard(wanted.topic()));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    return switch (context.shards().receive(request.wanted(), request.pollWait())) {
      case ReceiveResult.Messages(List<Envelope> envelopes) ->
          new Reply(envelopes.stream().map(each -> each.shownTo(request.owner())).toList());
      case ReceiveResult.Refused(MailboxFault fault) -> throw Refusal.of(fault);
    };
  }

  @Override
  public Answer write(Reply reply) {
    return Answer.json(200, MailboxJsonAnswer.messages(reply.messages()));
  }

  ReceiveRequest wanted(Caller caller, Fields form) throws Refusal {
    String topic = context.rights().require(caller, "recv", form.text("topic"), 0);
    return new ReceiveRequest(
        topic,
        context.visibilityMillis(form),
        (int) form.number("max_messages", 1),
        form.number("max_bytes", BYTES_DEFAULT));
  }
}
