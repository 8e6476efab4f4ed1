package dev.ron.bench.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.bench.load.LoopbackConnection;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * As much of AMQP 0-9-1 as it takes to publish with a confirm and to get and acknowledge, one
 * channel on one connection.
 *
 * <p>An acknowledgement is not confirmed in this protocol: it counts when it is written.
 *
 * <p>Threading: owned by one worker.
 */
final class AmqpLine implements QueueLine {
  private static final String QUEUE = "bench";
  private static final int METHOD = 1;
  private static final int HEADER = 2;
  private static final int BODY = 3;
  private static final int HEARTBEAT = 8;
  private static final byte END = (byte) 0xce;

  private static final int CONNECTION = 10;
  private static final int CHANNEL = 20;
  private static final int QUEUES = 50;
  private static final int BASIC = 60;
  private static final int CONFIRM = 85;

  private final LoopbackConnection wire;

  AmqpLine(int port) throws IOException {
    wire = new LoopbackConnection(port);
    wire.write(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1});
    expect(CONNECTION, 10);
    call(
        0,
        CONNECTION,
        11,
        out -> {
          out.writeInt(0);
          shortText(out, "PLAIN");
          longText(out, "\0guest\0guest");
          shortText(out, "en_US");
        });
    expect(CONNECTION, 30);
    call(
        0,
        CONNECTION,
        31,
        out -> {
          out.writeShort(1);
          out.writeInt(128 << 10);
          out.writeShort(0);
        });
    call(
        0,
        CONNECTION,
        40,
        out -> {
          shortText(out, "/");
          out.writeShort(0);
        });
    expect(CONNECTION, 41);
    call(1, CHANNEL, 10, out -> out.writeByte(0));
    expect(CHANNEL, 11);
    call(1, QUEUES, 10, AmqpLine::declare);
    expect(QUEUES, 11);
    call(1, CONFIRM, 10, out -> out.writeByte(0));
    expect(CONFIRM, 11);
  }

  private interface Arguments {
    void write(DataOutputStream out) throws IOException;
  }

  /** Durable, with the one argument that makes it a quorum queue. */
  private static void declare(DataOutputStream out) throws IOException {
    out.writeShort(0);
    shortText(out, QUEUE);
    out.writeByte(2);
    var table = new ByteArrayOutputStream();
    var entries = new DataOutputStream(table);
    shortText(entries, "x-queue-type");
    entries.writeByte('S');
    longText(entries, "quorum");
    out.writeInt(table.size());
    table.writeTo(out);
  }

  private static void shortText(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(UTF_8);
    out.writeByte(utf8.length);
    out.write(utf8);
  }

  private static void longText(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private void call(int channel, int type, int method, Arguments arguments) throws IOException {
    wire.write(frame(METHOD, channel, method(type, method, arguments)));
  }

  private static byte[] method(int type, int method, Arguments arguments) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeShort(type);
    out.writeShort(method);
    arguments.write(out);
    return bytes.toByteArray();
  }

  private static byte[] frame(int kind, int channel, byte[] payload) {
    return ByteBuffer.allocate(payload.length + 8)
        .put((byte) kind)
        .putShort((short) channel)
        .putInt(payload.length)
        .put(payload)
        .put(END)
        .array();
  }

  private ByteBuffer read(int kind) throws IOException {
    while (true) {
      ByteBuffer head = ByteBuffer.wrap(wire.bytes(7));
      int found = head.get();
      byte[] payload = wire.bytes(head.getInt(3));
      wire.bytes(1);
      if (found == kind) {
        return ByteBuffer.wrap(payload);
      }
      if (found != HEARTBEAT) {
        throw new IOException("a frame of kind " + found + " where " + kind + " belongs");
      }
    }
  }

  /** The arguments of a method that must come next. */
  private ByteBuffer expect(int type, int method) throws IOException {
    ByteBuffer payload = read(METHOD);
    int foundType = payload.getShort();
    int found = payload.getShort();
    if (foundType != type || found != method) {
      throw new IOException(
          "RabbitMQ said %d.%d where %d.%d belongs: %s"
              .formatted(foundType, found, type, method, UTF_8.decode(payload)));
    }
    return payload;
  }

  @Override
  public void send(byte[] body, String key) throws IOException {
    byte[] publish =
        method(
            BASIC,
            40,
            out -> {
              out.writeShort(0);
              shortText(out, "");
              shortText(out, QUEUE);
              out.writeByte(0);
            });
    // The only property: delivery mode 2, which is persistent.
    byte[] header =
        ByteBuffer.allocate(15)
            .putShort((short) BASIC)
            .putShort((short) 0)
            .putLong(body.length)
            .putShort((short) 0x1000)
            .put((byte) 2)
            .array();
    wire.write(frame(METHOD, 1, publish), frame(HEADER, 1, header), frame(BODY, 1, body));
    expect(BASIC, 80);
  }

  @Override
  public boolean handleOne() throws IOException {
    call(
        1,
        BASIC,
        70,
        out -> {
          out.writeShort(0);
          shortText(out, QUEUE);
          out.writeByte(0);
        });
    ByteBuffer answer = read(METHOD);
    answer.getShort();
    if (answer.getShort() == 72) {
      return false;
    }
    long tag = answer.getLong();
    long left = read(HEADER).getLong(4);
    while (left > 0) {
      left -= read(BODY).remaining();
    }
    call(
        1,
        BASIC,
        80,
        out -> {
          out.writeLong(tag);
          out.writeByte(0);
        });
    return true;
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
