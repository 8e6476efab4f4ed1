package dev.ron.mailbox.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.core.Message;
import dev.ron.mailbox.core.Ulid;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Facts as the journal and its snapshots keep them.
 *
 * <p>A version, a kind, then the fields in the order of the record: numbers big-endian, texts and
 * bodies behind their length in four bytes. The journal adds the checksum. A kind is never given to
 * another fact; a change of fields is a new version.
 *
 * <p>Threading: owned by whoever writes.
 */
public final class FactWriter {
  static final byte VERSION = 1;

  private static final int FIXED_BYTES = 256;

  private byte[] bytes = new byte[FIXED_BYTES];
  private int size;

  private FactWriter() {}

  public static ByteBuffer encode(Fact fact) {
    var writer = new FactWriter();
    writer.one(VERSION);
    writer.one(FactKind.of(fact).code());
    switch (fact) {
      case Fact.Sent sent -> {
        writer.message(sent.message(), sent.body());
        writer.eight(sent.readyAtMillis());
        writer.eight(sent.atMillis());
      }
      case Fact.Held held -> {
        writer.message(held.message(), held.body());
        writer.eight(held.readyAtMillis());
        writer.eight(held.sinceMillis());
        writer.four(held.attempts());
        writer.text(held.lastError());
      }
      case Fact.Remembered key -> {
        writer.id(key.id());
        writer.text(key.topic());
        writer.text(key.idemKey());
        writer.raw(key.payloadHash().bytes());
        writer.eight(key.untilMillis());
      }
      case Fact.Settled settled -> {
        writer.id(settled.id());
        writer.eight(settled.atMillis());
      }
      case Fact.Returned returned -> {
        writer.id(returned.id());
        writer.four(returned.attempts());
        writer.eight(returned.readyAtMillis());
        writer.text(returned.lastError());
      }
      case Fact.Acked acked -> {
        writer.id(acked.id());
        writer.eight(acked.atMillis());
      }
      case Fact.Died died -> {
        writer.id(died.id());
        writer.four(died.attempts());
        writer.text(died.reason().code());
        writer.text(died.lastError());
        writer.eight(died.atMillis());
      }
      case Fact.Revived revived -> {
        writer.id(revived.id());
        writer.eight(revived.readyAtMillis());
        writer.eight(revived.atMillis());
      }
      case Fact.Dropped dropped -> writer.id(dropped.id());
      case Fact.Leased _, Fact.Extended _, Fact.Woken _ ->
          throw new IllegalArgumentException("never kept: " + fact);
    }
    return ByteBuffer.wrap(writer.bytes, 0, writer.size);
  }

  private void message(Message message, byte[] body) {
    if (body.length != message.payloadBytes()) {
      throw new IllegalStateException("a body of another length than its message says");
    }
    id(message.id());
    text(message.topic());
    text(message.group());
    eight(message.tsMillis());
    text(message.idemKey());
    raw(message.payloadHash().bytes());
    text(message.corrId());
    four(message.attrs().size());
    message
        .attrs()
        .forEach(
            (name, value) -> {
              text(name);
              text(value);
            });
    four(body.length);
    raw(body);
  }

  private void id(Ulid id) {
    eight(id.high());
    eight(id.low());
  }

  private void text(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    four(utf8.length);
    raw(utf8);
  }

  private void one(byte value) {
    room(1);
    bytes[size++] = value;
  }

  private void four(int value) {
    room(Integer.BYTES);
    ByteBuffer.wrap(bytes).putInt(size, value);
    size += Integer.BYTES;
  }

  private void eight(long value) {
    room(Long.BYTES);
    ByteBuffer.wrap(bytes).putLong(size, value);
    size += Long.BYTES;
  }

  private void raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
