package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.bench.load.LoopbackConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks gRPC to our mailbox, one call at a time, with no library in between:
 * what is measured is the server.
 *
 * <p>Of HTTP/2 it knows what one caller needs. Answers' fields are not decoded: a call that
 * succeeded has a message, one that was refused has none.
 *
 * <p>Threading: owned by one worker.
 */
final class GrpcLine implements QueueLine {
  private static final String SERVICE = "/ron.mailbox.v1.Mailbox/";
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int HEAD_BYTES = 9;
  private static final int FRAME_BYTES = 5;
  private static final int WINDOW = 1 << 30;
  private static final int LENGTH_DELIMITED = 2;

  private final LoopbackConnection wire;
  private int stream = -1;

  GrpcLine(LoopbackConnection wire) throws IOException {
    this.wire = wire;
    byte[] window = ByteBuffer.allocate(4).putInt(WINDOW).array();
    byte[] settings = ByteBuffer.allocate(6).putShort((short) 4).putInt(WINDOW).array();
    wire.write(
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8),
        frame(SETTINGS, 0, 0, settings),
        frame(WINDOW_UPDATE, 0, 0, window));
  }

  @Override
  public void send(byte[] body, String key) throws IOException {
    var form = new ByteArrayOutputStream(body.length + 64);
    text(form, 1, "bench");
    text(form, 2, key);
    bytes(form, 3, body);
    if (call("Send", form.toByteArray()) == null) {
      throw new IOException("the send was refused");
    }
  }

  @Override
  public boolean handleOne() throws IOException {
    var form = new ByteArrayOutputStream();
    text(form, 1, "bench");
    form.write(2 << 3);
    varint(form, 30_000);
    byte[] reply = call("Receive", form.toByteArray());
    if (reply == null) {
      throw new IOException("the receive was refused");
    }
    byte[] envelope = field(reply, 1);
    if (envelope == null) {
      return false;
    }
    var ack = new ByteArrayOutputStream();
    bytes(ack, 1, present(field(envelope, 1)));
    bytes(ack, 2, present(field(envelope, 11)));
    if (call("Ack", ack.toByteArray()) == null) {
      throw new IOException("the ack was refused");
    }
    return true;
  }

  private static byte[] present(byte @Nullable [] value) throws IOException {
    if (value == null) {
      throw new IOException("a message without an id or a receipt");
    }
    return value;
  }

  /** The reply, or null if there was none. */
  private byte @Nullable [] call(String method, byte[] message) throws IOException {
    stream += 2;
    var head = new ByteArrayOutputStream();
    literal(head, ":method", "POST");
    literal(head, ":scheme", "http");
    literal(head, ":path", SERVICE + method);
    literal(head, ":authority", "localhost");
    literal(head, "content-type", "application/grpc");
    literal(head, "te", "trailers");
    ByteBuffer data = ByteBuffer.allocate(FRAME_BYTES + message.length);
    data.put((byte) 0).putInt(message.length).put(message);
    wire.write(
        frame(HEADERS, END_HEADERS, stream, head.toByteArray()),
        frame(DATA, END_STREAM, stream, data.array()));
    var reply = new ByteArrayOutputStream();
    boolean ended = false;
    while (!ended) {
      ByteBuffer frame = ByteBuffer.wrap(wire.bytes(HEAD_BYTES));
      int length = ((frame.getShort() & 0xffff) << 8) | (frame.get() & 0xff);
      int type = frame.get();
      int flags = frame.get();
      int of = frame.getInt();
      byte[] payload = wire.bytes(length);
      switch (type) {
        case SETTINGS, PING -> {
          if ((flags & ACK) == 0) {
            wire.write(frame(type, ACK, 0, type == PING ? payload : new byte[0]));
          }
        }
        case DATA -> reply.writeBytes(payload);
        case GOAWAY -> throw new IOException("the server ends the connection");
        default -> {}
      }
      ended = of == stream && (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }
    byte[] whole = reply.toByteArray();
    return whole.length < FRAME_BYTES ? null : Arrays.copyOfRange(whole, FRAME_BYTES, whole.length);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .putShort((short) (payload.length >> 8))
        .put((byte) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** A field that is not indexed, in plain octets; none of ours is longer than 126. */
  private static void literal(ByteArrayOutputStream out, String name, String value) {
    out.write(0);
    out.write(name.length());
    out.writeBytes(name.getBytes(UTF_8));
    out.write(value.length());
    out.writeBytes(value.getBytes(UTF_8));
  }

  private static void text(ByteArrayOutputStream out, int number, String value) {
    bytes(out, number, value.getBytes(UTF_8));
  }

  private static void bytes(ByteArrayOutputStream out, int number, byte[] value) {
    out.write((number << 3) | LENGTH_DELIMITED);
    varint(out, value.length);
    out.writeBytes(value);
  }

  private static void varint(ByteArrayOutputStream out, int value) {
    int left = value;
    while (left > 0x7f) {
      out.write((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write(left);
  }

  /** The first field of that number, of a message with texts and whole numbers only. */
  private static byte @Nullable [] field(byte[] message, int wanted) {
    ByteBuffer in = ByteBuffer.wrap(message);
    while (in.hasRemaining()) {
      long tag = varint(in);
      if ((tag & 7) != LENGTH_DELIMITED) {
        varint(in);
        continue;
      }
      byte[] value = new byte[(int) varint(in)];
      in.get(value);
      if (tag >>> 3 == wanted) {
        return value;
      }
    }
    return null;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte one = in.get();
      value |= (long) (one & 0x7f) << shift;
      if (one >= 0) {
        return value;
      }
    }
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
