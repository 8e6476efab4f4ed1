package dev.ron.mailbox.api;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.Route;
import dev.ron.http.server.Routes;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.wire.Fields;
import dev.ron.mailbox.wire.ProtoAnswer;
import dev.ron.mailbox.wire.ProtoForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code ron.mailbox.v1.Mailbox} over gRPC: the verbs of HTTP behind another framing, on the same
 * port, through the same layers.
 *
 * <p>A call is a POST over HTTP/2 with one message behind five bytes, answered by one message and a
 * status in the trailers; see ADR 0022 for why no library stands in between.
 *
 * <p>Threading: immutable.
 */
record Grpc(Desk desk, Send send, Receive receive) {
  private static final String SERVICE = "/ron.mailbox.v1.Mailbox/";
  private static final int FRAME_BYTES = 5;

  private static final Map<Integer, ProtoForm.Field> SEND =
      Map.of(
          1, ProtoForm.Field.of("topic", ProtoForm.Type.TEXT),
          2, ProtoForm.Field.of("idem_key", ProtoForm.Type.TEXT),
          3, ProtoForm.Field.of("payload_b64", ProtoForm.Type.RAW),
          4, ProtoForm.Field.of("attrs", ProtoForm.Type.TEXTS),
          5, ProtoForm.Field.of("delay_ms", ProtoForm.Type.NUMBER),
          6, ProtoForm.Field.of("group", ProtoForm.Type.TEXT),
          7, ProtoForm.Field.of("sticky", ProtoForm.Type.TEXT),
          8, ProtoForm.Field.of("refuse_duplicate", ProtoForm.Type.FLAG));
  private static final Map<Integer, ProtoForm.Field> SEND_BATCH =
      Map.of(1, new ProtoForm.Field("messages", ProtoForm.Type.MESSAGES, SEND));
  private static final Map<Integer, ProtoForm.Field> RECEIVE =
      Map.of(
          1, ProtoForm.Field.of("topic", ProtoForm.Type.TEXT),
          2, ProtoForm.Field.of("visibility_ms", ProtoForm.Type.NUMBER),
          3, ProtoForm.Field.of("max_messages", ProtoForm.Type.NUMBER),
          4, ProtoForm.Field.of("max_bytes", ProtoForm.Type.NUMBER),
          5, ProtoForm.Field.of("wait_ms", ProtoForm.Type.NUMBER));
  private static final Map<Integer, ProtoForm.Field> SETTLE =
      Map.of(
          1, ProtoForm.Field.of("msg_id", ProtoForm.Type.TEXT),
          2, ProtoForm.Field.of("receipt", ProtoForm.Type.TEXT),
          3, ProtoForm.Field.of("reason", ProtoForm.Type.TEXT),
          4, ProtoForm.Field.of("delay_ms", ProtoForm.Type.NUMBER),
          5, ProtoForm.Field.of("visibility_ms", ProtoForm.Type.NUMBER));

  /** What a method does with its form; answers the reply's bytes. */
  private interface Method {
    byte[] call(Caller caller, Fields form) throws IOException, InterruptedException;
  }

  void into(Routes routes, Settle ack, Settle nack, Settle extend) {
    routes
        .add(route("Send", desk.formBytesMax(), SEND, this::send))
        .add(route("SendBatch", desk.batchBytesMax(), SEND_BATCH, this::sendBatch))
        .add(
            route("Receive", Desk.FORM_BYTES, RECEIVE, this::receive)
                .within(Receive.WAIT_MAX.plus(MailboxRoutes.AFTER_WAIT)))
        .add(route("Ack", Desk.FORM_BYTES, SETTLE, settling(ack)))
        .add(route("Nack", Desk.FORM_BYTES, SETTLE, settling(nack)))
        .add(route("Extend", Desk.FORM_BYTES, SETTLE, settling(extend)));
  }

  private Route route(
      String name, int bytesMax, Map<Integer, ProtoForm.Field> fields, Method method) {
    Blocking handler = exchange -> handle(exchange, bytesMax, fields, method);
    return Route.of("POST", SERVICE + name, "grpc-" + name.toLowerCase(Locale.ROOT), handler)
        .documented("gRPC: " + name + ".", List.of(200))
        .bodyBytesMax(bytesMax);
  }

  private Answer handle(
      Exchange exchange, int bytesMax, Map<Integer, ProtoForm.Field> fields, Method method)
      throws Exception {
    Deadline deadline = deadline(exchange);
    try {
      Fields form = ProtoForm.read(message(exchange, bytesMax), fields);
      byte[] reply = deadline.call(() -> method.call(Caller.of(exchange), form));
      ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES + reply.length);
      frame.put((byte) 0).putInt(reply.length).put(reply);
      Headers headers = Headers.of("Content-Type", GrpcStatus.CONTENT_TYPE);
      return Answer.stream(
          200,
          headers,
          sink -> {
            sink.write(frame.array());
            return GrpcStatus.ok();
          });
    } catch (Refusal refusal) {
      return deadline.passed(desk.time().now())
          ? GrpcStatus.answer(GrpcStatus.DEADLINE_EXCEEDED, refusal.fault())
          : GrpcStatus.answer(refusal);
    }
  }

  /** The one message of the call; a compressed one was not asked for. */
  private static byte[] message(Exchange exchange, int bytesMax) throws IOException {
    ByteBuffer body = ByteBuffer.wrap(exchange.body().collect(bytesMax + FRAME_BYTES));
    if (body.remaining() < FRAME_BYTES || body.get() != 0) {
      throw Fields.wrong("$", "is not one message without compression");
    }
    if (body.getInt() != body.remaining()) {
      throw Fields.wrong("$", "is not one message of the length it says");
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

  private byte[] send(Caller caller, Fields form) throws IOException, InterruptedException {
    var manner = new Send.Manner(caller, form.flag("refuse_duplicate"), null);
    Outcome.Accepted accepted = send.send(send.letter(manner, form));
    return ProtoAnswer.accepted(accepted.id(), accepted.duplicate());
  }

  private byte[] sendBatch(Caller caller, Fields form) throws IOException, InterruptedException {
    List<Send.Letter> letters = send.letters(form, new Send.Manner(caller, false, null));
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

  private byte[] receive(Caller caller, Fields form) throws IOException, InterruptedException {
    return ProtoAnswer.messages(receive.receive(caller, form));
  }

  private static Method settling(Settle settle) {
    return (caller, form) -> {
      settle.settle(caller, form.text("msg_id"), form);
      return new byte[0];
    };
  }
}
