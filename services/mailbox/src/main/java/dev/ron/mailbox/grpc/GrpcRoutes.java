package dev.ron.mailbox.grpc;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.api.Caller;
import dev.ron.mailbox.api.DropDeadLetter;
import dev.ron.mailbox.api.FormVerb;
import dev.ron.mailbox.api.ListDeadLetters;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.api.Receive;
import dev.ron.mailbox.api.ReceiveStream;
import dev.ron.mailbox.api.Reprocess;
import dev.ron.mailbox.api.Send;
import dev.ron.mailbox.api.SendBatch;
import dev.ron.mailbox.api.Settle;
import dev.ron.mailbox.api.ShowDeadLetter;
import dev.ron.mailbox.api.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
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
public record GrpcRoutes(MailboxContext context, Send send, Receive receive, Topics topics) {
  public static final String SERVICE = "/ron.mailbox.v1.Mailbox/";
  private static final int FRAME_BYTES = 5;

  /** What a method does with its form; answers the reply's bytes. */
  private interface Method {
    byte[] call(Caller caller, Map<String, @Nullable Object> tree) throws Exception;
  }

  public Route[] all(Settle ack, Settle nack, Settle extend) {
    var show = new ShowDeadLetter(context);
    Method drop = of(new DropDeadLetter(show), reply -> ProtoAnswer.counted(reply.count()));
    Method list =
        of(new ListDeadLetters(context), reply -> ProtoAnswer.deadLetters(reply.messages()));
    return new Route[] {
      route("Send", context.formBytesMax(), ProtoSchema.SEND, this::send),
      route(
          "SendBatch",
          context.batchBytesMax(),
          ProtoSchema.SEND_BATCH,
          of(new SendBatch(send), reply -> ProtoAnswer.results(reply.results()))),
      route("Receive", ProtoSchema.RECEIVE, of(receive, this::received))
          .within(Receive.WAIT_MAX.plus(MailboxRoutes.AFTER_WAIT)),
      route("Ack", ProtoSchema.SETTLE, of(ack, _ -> new byte[0])),
      route("Nack", ProtoSchema.SETTLE, of(nack, _ -> new byte[0])),
      route("Extend", ProtoSchema.SETTLE, of(extend, _ -> new byte[0])),
      route("Topics", ProtoSchema.TOPICS, of(topics, ProtoAnswer::topics)),
      route("DeadLetters", ProtoSchema.DEAD_LETTERS, list),
      route("DeadLetter", ProtoSchema.DEAD_LETTER, of(show, ProtoAnswer::deadLetter)),
      route("Reprocess", ProtoSchema.REPROCESS, reprocess(show)),
      route("Drop", ProtoSchema.DEAD_LETTER, drop),
      receiveStream().within(ReceiveStream.TIME_MAX)
    };
  }

  /** A reply on the wire. */
  private interface Writer<A> {
    byte[] write(A reply) throws Refusal;
  }

  /** The steps of a verb, with another writer. */
  private static <Q, A> Method of(FormVerb<Q, A> verb, Writer<A> writer) {
    return (caller, tree) ->
        writer.write(verb.handle(verb.request(caller, verb.form().read(tree))));
  }

  private Route route(String name, Map<Integer, ProtoFormReader.Field> fields, Method method) {
    return route(name, MailboxContext.FORM_BYTES, fields, method);
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
      exchange.payer().waive();
      return deadline.passed(context.time().now())
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
    var stream = new ReceiveStream(context, receive);
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
                  return context.shards().draining().given()
                      ? GrpcStatus.draining()
                      : GrpcStatus.ok();
                });
          } catch (Refusal refusal) {
            exchange.refused(refusal);
            exchange.payer().waive();
            return GrpcStatus.answer(refusal);
          }
        };
    return Route.of("POST", SERVICE + "ReceiveStream", "grpc-receivestream", handler)
        .documented("gRPC: ReceiveStream.", List.of(200))
        .bodyBytesMax(MailboxContext.FORM_BYTES);
  }

  /** One by its id, or many by what they have in common. */
  private Method reprocess(ShowDeadLetter show) {
    Method one = of(new Reprocess.One(show), GrpcRoutes::moved);
    Method many = of(new Reprocess(context), GrpcRoutes::moved);
    return (Caller caller, Map<String, @Nullable Object> tree) ->
        (tree.containsKey("msg_id") ? one : many).call(caller, tree);
  }

  private static byte[] moved(Reprocess.Reply reply) {
    Integer left = reply.left();
    return left == null || reply.why() == null
        ? ProtoAnswer.counted(reply.count())
        : ProtoAnswer.partly(reply.count(), left, reply.why());
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
    return Deadline.in(left, context.time()).earlier(Deadline.current());
  }

  private byte[] send(Caller caller, Map<String, @Nullable Object> tree)
      throws Refusal, InterruptedException {
    boolean refuse = Boolean.TRUE.equals(tree.remove("refuse_duplicate"));
    var terms = new Send.Terms(caller, refuse, null);
    return ProtoAnswer.sent(send.handle(send.request(terms, Send.FORM.read(tree))));
  }

  private byte[] received(Receive.Reply reply) throws Refusal {
    if (reply.messages().isEmpty() && Deadline.current().passed(context.time().now())) {
      // Not the same as having waited as long as was asked for.
      throw Refusal.of(new KernelFault.Timeout("Receive", Duration.ZERO));
    }
    return ProtoAnswer.messages(reply.messages());
  }
}
