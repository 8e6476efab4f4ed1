package dev.ron.mailbox.grpc;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.api.Caller;
import dev.ron.mailbox.api.DeadLetterRoutes;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.api.Receive;
import dev.ron.mailbox.api.ReceiveStream;
import dev.ron.mailbox.api.Reprocess;
import dev.ron.mailbox.api.Send;
import dev.ron.mailbox.api.Settle;
import dev.ron.mailbox.api.Topics;
import dev.ron.mailbox.core.DeadLetter;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.TopicView;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code ron.mailbox.v1.Mailbox} over gRPC: the verbs of HTTP behind another framing, on the same
 * port, through the same layers.
 *
 * <p>A call is a POST over HTTP/2 with one message behind five bytes, answered by one message and a
 * status in the trailers; see ADR 0022 for why no library stands in between.
 *
 * <p>Threading: immutable.
 */
public record GrpcRoutes(
    MailboxContext desk, Send send, Receive receive, Topics topics, DeadLetterRoutes dead) {
  public static final String SERVICE = "/ron.mailbox.v1.Mailbox/";
  private static final int FRAME_BYTES = 5;
  private static final Form TOPICS = MailboxContext.form(Field.text("topic").optional());
  private static final Form DEAD_LETTER = MailboxContext.form(Field.text("msg_id"));
  private static final Form DEAD_LETTERS =
      MailboxContext.form(
          Field.text("topic").optional(),
          Field.text("reason").optional(),
          Field.number("limit", 1, DeadLetterRoutes.LIST_MAX).optional(),
          Field.text("after").optional());

  /** What a method does with its form; answers the reply's bytes. */
  private interface Method {
    byte[] call(Caller caller, Map<String, @Nullable Object> tree)
        throws IOException, InterruptedException;
  }

  public void into(Routes routes, Settle ack, Settle nack, Settle extend) {
    routes
        .add(route("Send", desk.formBytesMax(), ProtoSchema.SEND, this::send))
        .add(route("SendBatch", desk.batchBytesMax(), ProtoSchema.SEND_BATCH, this::sendBatch))
        .add(
            route("Receive", MailboxContext.FORM_BYTES, ProtoSchema.RECEIVE, this::receive)
                .within(Receive.WAIT_MAX.plus(MailboxRoutes.AFTER_WAIT)))
        .add(route("Ack", MailboxContext.FORM_BYTES, ProtoSchema.SETTLE, settling(ack)))
        .add(route("Nack", MailboxContext.FORM_BYTES, ProtoSchema.SETTLE, settling(nack)))
        .add(route("Extend", MailboxContext.FORM_BYTES, ProtoSchema.SETTLE, settling(extend)))
        .add(route("Topics", MailboxContext.FORM_BYTES, ProtoSchema.TOPICS, this::topics))
        .add(
            route(
                "DeadLetters",
                MailboxContext.FORM_BYTES,
                ProtoSchema.DEAD_LETTERS,
                this::deadLetters))
        .add(
            route(
                "DeadLetter", MailboxContext.FORM_BYTES, ProtoSchema.DEAD_LETTER, this::deadLetter))
        .add(route("Reprocess", MailboxContext.FORM_BYTES, ProtoSchema.REPROCESS, this::reprocess))
        .add(route("Drop", MailboxContext.FORM_BYTES, ProtoSchema.DEAD_LETTER, this::drop))
        .add(receiveStream().within(ReceiveStream.TIME_MAX));
  }

  private Route route(
      String name, int bytesMax, Map<Integer, ProtoFormReader.Field> fields, Method method) {
    Blocking handler = exchange -> handle(exchange, bytesMax, fields, method);
    return Route.of("POST", SERVICE + name, "grpc-" + name.toLowerCase(Locale.ROOT), handler)
        .documented("gRPC: " + name + ".", List.of(200))
        .bodyBytesMax(bytesMax);
  }

  private Answer handle(
      Exchange exchange, int bytesMax, Map<Integer, ProtoFormReader.Field> fields, Method method)
      throws Exception {
    Deadline deadline = deadline(exchange);
    try {
      requireAdmitted(exchange);
      Map<String, @Nullable Object> tree =
          ProtoFormReader.read(message(exchange, bytesMax), fields);
      byte[] reply = deadline.call(() -> method.call(Caller.of(exchange), tree));
      var headers = Headers.of("Content-Type", GrpcStatus.CONTENT_TYPE);
      return Answer.trailed(200, headers, frame(reply), GrpcStatus.ok());
    } catch (Refusal refusal) {
      exchange.refused(refusal);
      return deadline.passed(desk.time().now())
          ? GrpcStatus.answer(GrpcStatus.DEADLINE_EXCEEDED, refusal.fault())
          : GrpcStatus.answer(refusal);
    }
  }

  /** Throws what the guard refused. */
  private static void requireAdmitted(Exchange exchange) throws Refusal {
    Refusal refused = exchange.attachment(Refusal.class);
    if (refused != null) {
      throw refused;
    }
  }

  private static Answer streamed(Body.Stream.Writer writer) {
    return Answer.stream(200, Headers.of("Content-Type", GrpcStatus.CONTENT_TYPE), writer);
  }

  private static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(FRAME_BYTES + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /**
   * Messages as they come, with credit as over HTTP; the call ends after its time, or with {@code
   * UNAVAILABLE} when the mailbox drains, so that clients call again.
   */
  private Route receiveStream() {
    var stream = new ReceiveStream(desk, receive);
    Blocking handler =
        exchange -> {
          try {
            requireAdmitted(exchange);
            byte[] message = message(exchange, MailboxContext.FORM_BYTES);
            var tree = ProtoFormReader.read(message, ProtoSchema.RECEIVE_STREAM);
            ReceiveStream.Flow flow =
                stream.flow(
                    Caller.of(exchange),
                    stream.form().read(tree),
                    envelope -> frame(ProtoAnswer.envelope(envelope)),
                    new byte[0]);
            return streamed(
                sink -> {
                  Refusal ended = flow.run(sink);
                  if (ended != null) {
                    return GrpcStatus.trailers(ended);
                  }
                  return desk.shards().draining().given() ? GrpcStatus.draining() : GrpcStatus.ok();
                });
          } catch (Refusal refusal) {
            exchange.refused(refusal);
            return GrpcStatus.answer(refusal);
          }
        };
    return Route.of("POST", SERVICE + "ReceiveStream", "grpc-receivestream", handler)
        .documented("gRPC: ReceiveStream.", List.of(200))
        .bodyBytesMax(MailboxContext.FORM_BYTES);
  }

  private byte[] topics(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    String topic = TOPICS.read(tree).textOrNull("topic");
    var rows = new ArrayList<TopicView>();
    topics.views(caller, topic).values().forEach(rows::addAll);
    return ProtoAnswer.topics(rows, desk.time().now().toEpochMilli());
  }

  private byte[] deadLetters(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    Fields form = DEAD_LETTERS.read(tree);
    DeadLetterFilter filter =
        dead.filter(
            caller, form.textOrNull("topic"), form.textOrNull("reason"), form.textOrNull("after"));
    int max = (int) form.number("limit", 100);
    return ProtoAnswer.deadLetters(dead.listed(filter, max));
  }

  private byte[] deadLetter(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    DeadLetter letter = dead.shown(caller, DEAD_LETTER.read(tree).text("msg_id"));
    return ProtoAnswer.deadLetter(letter, true);
  }

  /** One by its id, or many by what they have in common. */
  private byte[] reprocess(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    if (!tree.containsKey("msg_id")) {
      var many = new Reprocess(dead);
      return moved(many.handle(many.request(caller, Reprocess.FORM.read(tree))));
    }
    String id = DEAD_LETTER.read(tree).text("msg_id");
    return moved(new Reprocess.One(dead).handle(dead.shown(caller, id).message().id()));
  }

  private static byte[] moved(Reprocess.Reply reply) {
    Integer left = reply.left();
    return left == null || reply.why() == null
        ? ProtoAnswer.counted(reply.count())
        : ProtoAnswer.partly(reply.count(), left, reply.why());
  }

  private byte[] drop(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    String id = DEAD_LETTER.read(tree).text("msg_id");
    return ProtoAnswer.counted(dead.drop(caller, id));
  }

  /** The one message of the call; a compressed one was not asked for. */
  private static byte[] message(Exchange exchange, int bytesMax) throws IOException {
    ByteBuffer body = ByteBuffer.wrap(exchange.body().collect(bytesMax + FRAME_BYTES));
    if (body.remaining() < FRAME_BYTES || body.get() != 0) {
      throw MailboxContext.wrong("$", "is not one message without compression");
    }
    if (body.getInt() != body.remaining()) {
      throw MailboxContext.wrong("$", "is not one message of the length it says");
    }
    byte[] message = new byte[body.remaining()];
    body.get(message);
    return message;
  }

  /** Digits and a unit; what cannot be read leaves the server's own limit. */
  private Deadline deadline(Exchange exchange) {
    String text = exchange.headers().first("grpc-timeout");
    if (text == null || !text.matches("[0-9]{1,8}[HMSmun]")) {
      return Deadline.current();
    }
    long value = Long.parseLong(text.substring(0, text.length() - 1));
    Duration left =
        switch (text.charAt(text.length() - 1)) {
          case 'H' -> Duration.ofHours(value);
          case 'M' -> Duration.ofMinutes(value);
          case 'S' -> Duration.ofSeconds(value);
          case 'm' -> Duration.ofMillis(value);
          case 'u' -> Duration.ofNanos(value * 1000);
          default -> Duration.ofNanos(value);
        };
    return Deadline.in(left, desk.time()).earlier(Deadline.current());
  }

  private byte[] send(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    boolean refuse = Boolean.TRUE.equals(tree.remove("refuse_duplicate"));
    var manner = new Send.Manner(caller, refuse, null);
    Outcome.Accepted accepted = send.send(send.letter(manner, Send.FORM.read(tree)));
    return ProtoAnswer.accepted(accepted.id(), accepted.duplicate());
  }

  private byte[] sendBatch(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    List<Send.Letter> letters =
        send.letters(Send.BATCH.read(tree), new Send.Manner(caller, false, null));
    return ProtoAnswer.results(
        send.sendAll(letters).stream()
            .map(
                outcome ->
                    outcome instanceof Outcome.Refused(MailboxFault fault)
                        ? ProtoAnswer.refused(fault)
                        : accepted((Outcome.Accepted) outcome))
            .toList());
  }

  private static byte[] accepted(Outcome.Accepted accepted) {
    return ProtoAnswer.accepted(accepted.id(), accepted.duplicate());
  }

  private byte[] receive(Caller caller, Map<String, @Nullable Object> tree)
      throws IOException, InterruptedException {
    List<Envelope> envelopes = receive.receive(caller, receive.form().read(tree));
    if (envelopes.isEmpty() && Deadline.current().passed(desk.time().now())) {
      // Not the same as having waited as long as was asked for.
      throw Refusal.of(new KernelFault.Timeout("Receive", Duration.ZERO));
    }
    return ProtoAnswer.messages(envelopes);
  }

  private static Method settling(Settle settle) {
    return (caller, tree) -> {
      Fields form = settle.entry().read(tree);
      settle.settle(caller, form.text("msg_id"), form);
      return new byte[0];
    };
  }
}
