package dev.ron.mailbox.api;

import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.mailbox.grpc.GrpcRoutes;
import java.time.Duration;

/** Every route of the mailbox, with what it takes and answers. */
public final class MailboxRoutes {
  /** What a long poll may take besides its wait. */
  public static final Duration AFTER_WAIT = Duration.ofSeconds(5);

  private static final String DEAD_LETTER = "/v1/dlq/{msg_id}";
  private static final String JSON = "application/json";

  private MailboxRoutes() {}

  public static Routes of(MailboxContext context) {
    var send = new Send(context);
    var receive = new Receive(context);
    var topics = new Topics(context);
    Settle ack = Ack.on(context);
    Settle nack = Nack.on(context);
    Settle extend = Extend.on(context);
    return Routes.of(messages(send, receive))
        .add(settle(ack, "Says that a message was handled."))
        .add(settle(nack, "Says that a message was not handled."))
        .add(settle(extend, "Asks for more time."))
        .add(
            told(Route.get("/v1/topics"), "topics", "All topics.")
                .answers(200, Topics.Reply.class)
                .does(topics),
            told(Route.get("/v1/topics/{topic}"), "topic", "One topic.")
                .answers(200, TopicSummary.class)
                .answers(404)
                .does(new Topics.One(topics)),
            told(Route.get("/v1/peek"), "recv-peek", "Shows messages without receiving them.")
                .query("topic", "limit")
                .example("topic", "orders")
                .answers(200, JSON, MailboxJsonAnswer.PEEKED)
                .does(new Topics.Peek(context)),
            told(Route.post("/v1/purge"), "purge", "Lets go of all messages of a topic.")
                .takes(Topics.Purge.FORM)
                .answers(200, Topics.Purge.Done.class)
                .does(new Topics.Purge(context)))
        .add(deadLetters(context, send))
        .add(new GrpcRoutes(context, send, receive, topics).all(ack, nack, extend));
  }

  private static Route[] messages(Send send, Receive receive) {
    MailboxContext context = send.context();
    var stream = new ReceiveStream(context, receive);
    var batch = new SendBatch(send);
    return new Route[] {
      told(Route.post("/v1/send"), "send", "Takes a message in, durably.")
          .query("topic", "idem_key", "group", "sticky", "delay_ms", "on_duplicate")
          .takes(Send.FORM)
          .answers(200, Send.Reply.class)
          .answers(307, 409, 413, 422)
          .bodyBytesMax(context.formBytesMax())
          .does(send),
      told(Route.post("/v1/send/batch"), "send-batch", "Takes up to 100 messages in.")
          .takes(batch.form())
          .answers(200, SendBatch.Reply.class)
          .bodyBytesMax(context.batchBytesMax())
          .does(batch),
      told(Route.post("/v1/recv"), "recv", "Hands out messages.")
          .takes(receive.form())
          .answers(200, JSON, MailboxJsonAnswer.ENVELOPES)
          .answers(307)
          .within(Receive.WAIT_MAX.plus(AFTER_WAIT))
          .does(receive),
      told(
              Route.post("/v1/recv/stream"),
              "recv-stream",
              "Hands out messages as they come, a line each.")
          .takes(stream.form())
          .answers(200, ReceiveStream.CONTENT_TYPE, MailboxJsonAnswer.ENVELOPE)
          .within(ReceiveStream.TIME_MAX)
          .does(stream.handler())
    };
  }

  private static Route[] settle(Settle one, String summary) {
    var batch = new SettleBatch(one);
    String path = "/v1/" + one.op();
    return new Route[] {
      told(Route.post(path + "/{msg_id}"), one.op(), summary)
          .takes(one.body())
          .answers(200, Settle.Reply.class)
          .answers(307, 404, 409)
          .does(one),
      told(Route.post(path), one.op() + "-batch", summary)
          .takes(batch.form())
          .answers(200, SettleBatch.Reply.class)
          .does(batch)
    };
  }

  private static Route[] deadLetters(MailboxContext context, Send send) {
    var show = new ShowDeadLetter(context);
    var reprocess = new Reprocess(context);
    return new Route[] {
      told(Route.get("/v1/dlq"), "dlq-list", "Dead letters.")
          .query("topic", "reason", "limit", "after")
          .answers(200, JSON, MailboxJsonAnswer.DEAD_LETTERS)
          .does(new ListDeadLetters(context)),
      told(Route.get(DEAD_LETTER), "dlq-show", "One dead letter.")
          .answers(200, JSON, MailboxJsonAnswer.DEAD_LETTER)
          .answers(404)
          .does(show),
      told(Route.post("/v1/dlq/reprocess"), "dlq-reprocess", "Sends many again.")
          .takes(reprocess.form())
          .answers(200, Reprocess.Reply.class)
          .does(reprocess),
      told(Route.post(DEAD_LETTER + "/reprocess"), "dlq-reprocess-one", "Sends one again.")
          .answers(200, Reprocess.Reply.class)
          .answers(404)
          .does(new Reprocess.One(show)),
      told(
              Route.post(DEAD_LETTER + "/copy"),
              "dlq-copy",
              "Sends a changed copy; the dead letter stays.")
          .takes(CopyDeadLetter.CHANGES)
          .answers(200, Send.Reply.class)
          .answers(404, 409, 413, 422)
          .does(new CopyDeadLetter(show, send)),
      told(Route.delete(DEAD_LETTER), "dlq-drop", "Drops a dead letter.")
          .answers(200, DropDeadLetter.Reply.class)
          .answers(404)
          .does(new DropDeadLetter(show))
    };
  }

  /** Its name, and what any route may answer: about its form, token, rate, a shutdown. */
  private static Route told(Route route, String op, String summary) {
    return route.op(op).summary(summary).answers(400, 401, 403, 429, 503);
  }
}
