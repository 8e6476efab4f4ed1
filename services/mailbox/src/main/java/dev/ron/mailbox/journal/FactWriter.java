package dev.ron.mailbox.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Facts as the journal keeps them.
 *
 * <p>A version, a kind, then the fields in the order of the record, of which the id is first:
 * numbers big-endian, texts and bodies behind their length in four bytes. The journal adds the
 * checksum. A kind is never given to another fact; a change of fields is a new version.
 *
 * <p>Threading: owned by the thread that writes.
 */
public final class FactWriter {
  static final byte VERSION = 2;

  private static final int FIXED_BYTES = 256;

  private byte[] bytes = new byte[FIXED_BYTES];
  private int size;

  private FactWriter() {}

  public static ByteBuffer encode(Fact fact) {
    var writer = new FactWriter();
    writer.one(VERSION);
    writer.one(FactKind.of(fact).code());
    writer.fields(fact);
    return ByteBuffer.wrap(writer.bytes, 0, writer.size);
  }

  private void fields(Fact fact) {
    switch (fact) {
      case Fact.Sent sent -> {
        message(sent.message(), sent.body());
        eight(sent.readyAtMillis());
        eight(sent.atMillis());
      }
      case Fact.Carried carried -> message(carried.message(), carried.body());
      case Fact.Returned returned -> {
        id(returned.id());
        four(returned.attempts());
        eight(returned.readyAtMillis());
        text(returned.lastError());
        if (returned.firstMillis() != 0) {
          eight(returned.firstMillis());
        }
      }
      case Fact.Acked acked -> moment(acked.id(), acked.atMillis());
      case Fact.Died died -> died(died);
      case Fact.Revived revived -> {
        moment(revived.id(), revived.readyAtMillis());
        eight(revived.atMillis());
      }
      case Fact.Dropped dropped -> id(dropped.id());
      case Fact.Leased leased -> {
        id(leased.id());
        eight(leased.receipt().bits());
        eight(leased.untilMillis());
        if (leased.atMillis() != 0) {
          eight(leased.atMillis());
          one((byte) (leased.durable() ? 1 : 0));
        }
      }
      case Fact.Extended extended -> moment(extended.id(), extended.untilMillis());
      case Fact.Woken _ -> throw new IllegalArgumentException("never kept: " + fact);
      case QueueFact queue -> fields(queue);
    }
  }

  private void fields(QueueFact fact) {
    id(fact.id());
    switch (fact) {
      case QueueFact.Kept(QueueRecord queue) -> coded(out -> QueueCodec.write(queue, out));
      case QueueFact.Gone gone -> {
        text(gone.topic());
        eight(gone.atMillis());
      }
      case QueueFact.Purged purged -> {
        text(purged.topic());
        eight(purged.atMillis());
      }
      case QueueFact.MoveKept(_, MoveTask task) -> coded(out -> QueueCodec.write(task, out));
      case QueueFact.Moved moved -> {
        text(moved.topic());
        text(moved.from());
        four(moved.attempts());
        eight(moved.firstMillis());
        eight(moved.sinceMillis());
      }
      case QueueFact.Expired _ -> {}
    }
  }

  private interface ValueWriter {
    void write(DataOutputStream out) throws IOException;
  }

  private void coded(ValueWriter coded) {
    var plain = new ByteArrayOutputStream();
    try {
      coded.write(new DataOutputStream(plain));
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
    four(plain.size());
    raw(plain.toByteArray());
  }

  private void died(Fact.Died died) {
    id(died.id());
    four(died.attempts());
    text(died.reason().code());
    text(died.lastError());
    eight(died.atMillis());
  }

  private void moment(Ulid id, long atMillis) {
    id(id);
    eight(atMillis);
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
