package dev.ron.mailbox.cluster.protocol;

import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.journal.FactReader;
import dev.ron.mailbox.journal.FactWriter;
import dev.ron.mailbox.journal.QueueCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What one machine of a cluster answers another: an outcome, or several of them.
 *
 * <p>Behind them stands which of them were repetitions, if any was. A machine of before this was
 * told reads no further than the outcomes, so it takes a repetition for done as it always has.
 *
 * <p>Threading: immutable.
 */
public final class OutcomeCodec {
  private static final int ACCEPTED = 1;
  private static final int DONE = 2;
  private static final int COUNTED = 3;
  private static final int REFUSED = 4;
  private static final int DELIVERED = 5;
  private static final int EMPTY = 6;
  private static final int PARTLY = 7;

  /** A delivery of a queue: with when it was received first and where it came from. */
  private static final int DELIVERED_FIRST = 8;

  private static final int QUEUE = 9;
  private static final int MOVE = 10;

  private OutcomeCodec() {}

  public static byte[] encode(List<Outcome> outcomes) {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    try {
      out.writeInt(outcomes.size());
      for (Outcome outcome : outcomes) {
        write(outcome, out);
      }
      writeRepeated(outcomes, out);
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
    return bytes.toByteArray();
  }

  public static List<Outcome> decode(byte[] bytes) throws IOException {
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    var outcomes = new ArrayList<Outcome>();
    for (int left = in.readInt(); left > 0; left--) {
      outcomes.add(read(in));
    }
    readRepeated(in, outcomes);
    return outcomes;
  }

  private static void writeRepeated(List<Outcome> outcomes, DataOutputStream out)
      throws IOException {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done(boolean repeated) && repeated) {
        out.writeInt(i);
      }
    }
  }

  private static void readRepeated(DataInputStream in, List<Outcome> outcomes) throws IOException {
    while (in.available() > 0) {
      int at = in.readInt();
      if (at < 0 || at >= outcomes.size() || !(outcomes.get(at) instanceof Outcome.Done)) {
        throw new IOException("no outcome that can be repeated has the place " + at);
      }
      outcomes.set(at, new Outcome.Done(true));
    }
  }

  private static void write(Outcome outcome, DataOutputStream out) throws IOException {
    switch (outcome) {
      case Outcome.Accepted(Ulid id, boolean duplicate) -> {
        out.writeByte(ACCEPTED);
        out.writeLong(id.high());
        out.writeLong(id.low());
        out.writeBoolean(duplicate);
      }
      case Outcome.Done _ -> out.writeByte(DONE);
      case Outcome.Empty _ -> out.writeByte(EMPTY);
      case Outcome.Counted(int count) -> {
        out.writeByte(COUNTED);
        out.writeInt(count);
      }
      case Outcome.Partly(int count, int left, MailboxFault why) -> {
        out.writeByte(PARTLY);
        out.writeInt(count);
        out.writeInt(left);
        write(why, out);
      }
      case Outcome.Refused(MailboxFault fault) -> {
        out.writeByte(REFUSED);
        write(fault, out);
      }
      case Outcome.Delivered(Envelope envelope) -> {
        boolean first = envelope.firstMillis() != 0;
        out.writeByte(first ? DELIVERED_FIRST : DELIVERED);
        ByteBuffer record =
            FactWriter.encode(new Fact.Carried(envelope.message(), envelope.body()));
        byte[] plain = new byte[record.remaining()];
        record.get(plain);
        out.writeInt(plain.length);
        out.write(plain);
        out.writeInt(envelope.attempt());
        out.writeLong(envelope.receipt().bits());
        if (first) {
          out.writeLong(envelope.firstMillis());
          QueueCodec.text(envelope.movedFrom(), out);
        }
      }
      case Outcome.Queue(QueueRecord queue) -> {
        out.writeByte(QUEUE);
        QueueCodec.write(queue, out);
      }
      case Outcome.Move(MoveTask task) -> {
        out.writeByte(MOVE);
        QueueCodec.write(task, out);
      }
      case Outcome.Corrupt _ -> throw new IllegalStateException("never answered: " + outcome);
    }
  }

  private static Outcome read(DataInputStream in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case ACCEPTED ->
          new Outcome.Accepted(new Ulid(in.readLong(), in.readLong()), in.readBoolean());
      case DONE -> new Outcome.Done();
      case EMPTY -> new Outcome.Empty();
      case COUNTED -> new Outcome.Counted(in.readInt());
      case PARTLY -> new Outcome.Partly(in.readInt(), in.readInt(), fault(in));
      case REFUSED -> new Outcome.Refused(fault(in));
      case DELIVERED -> new Outcome.Delivered(delivered(in, false));
      case DELIVERED_FIRST -> new Outcome.Delivered(delivered(in, true));
      case QUEUE -> new Outcome.Queue(QueueCodec.queue(in));
      case MOVE -> new Outcome.Move(QueueCodec.move(in));
      default -> throw new IOException("no outcome has the number " + kind);
    };
  }

  private static Envelope delivered(DataInputStream in, boolean first) throws IOException {
    byte[] record = in.readNBytes(in.readInt());
    if (!(FactReader.decode(ByteBuffer.wrap(record)) instanceof Fact.Carried carried)) {
      throw new IOException("no message in a delivery");
    }
    int attempt = in.readInt();
    var receipt = new Receipt(in.readLong());
    return first
        ? new Envelope(
            carried.message(), carried.body(), attempt, receipt, in.readLong(), QueueCodec.text(in))
        : new Envelope(carried.message(), carried.body(), attempt, receipt);
  }

  private static void write(MailboxFault fault, DataOutputStream out) throws IOException {
    out.writeUTF(fault.code());
    switch (fault) {
      case MailboxFault.Schema(String detail) -> out.writeUTF(detail);
      case MailboxFault.CapAuth(String detail) -> out.writeUTF(detail);
      case MailboxFault.CapScope(String detail) -> out.writeUTF(detail);
      case MailboxFault.UnknownMessage(String id) -> out.writeUTF(id);
      case MailboxFault.Duplicate(String id) -> out.writeUTF(id);
      case MailboxFault.ReceiptExpired(String id) -> out.writeUTF(id);
      case MailboxFault.IdemMismatch(String id) -> out.writeUTF(id);
      case MailboxFault.Integrity(String detail) -> out.writeUTF(detail);
      case MailboxFault.Unavailable(String detail) -> out.writeUTF(detail);
      case MailboxFault.NoSuchQueue(String topic) -> out.writeUTF(topic);
      case MailboxFault.QueueRefused(QueueRefusal why, String detail) -> {
        out.writeUTF(why.name());
        out.writeUTF(detail);
      }
      case MailboxFault.FrameTooLarge(String what, long bytes, long most) -> {
        out.writeUTF(what);
        out.writeLong(bytes);
        out.writeLong(most);
      }
      case MailboxFault.OverQueued(TenantFault over) -> {
        out.writeUTF(over.tenant());
        out.writeLong(over.allowed());
        out.writeLong(over instanceof TenantFault.OverStock stock ? stock.used() : 0);
      }
      case MailboxFault.Saturated(String what, long limit, Duration rest) -> {
        out.writeUTF(what);
        out.writeLong(limit);
        out.writeLong(rest.toMillis());
      }
    }
  }

  private static MailboxFault fault(DataInputStream in) throws IOException {
    String code = in.readUTF();
    String text = in.readUTF();
    return switch (code) {
      case "schema" -> new MailboxFault.Schema(text);
      case "cap-auth" -> new MailboxFault.CapAuth(text);
      case "cap-scope" -> new MailboxFault.CapScope(text);
      case "unknown-message" -> new MailboxFault.UnknownMessage(text);
      case "duplicate" -> new MailboxFault.Duplicate(text);
      case "receipt-expired" -> new MailboxFault.ReceiptExpired(text);
      case "idem-mismatch" -> new MailboxFault.IdemMismatch(text);
      case "integrity" -> new MailboxFault.Integrity(text);
      case "no-such-queue" -> new MailboxFault.NoSuchQueue(text);
      case "queue-refused" -> new MailboxFault.QueueRefused(why(text), in.readUTF());
      case "unavailable" -> new MailboxFault.Unavailable(text);
      case "frame-too-large" -> new MailboxFault.FrameTooLarge(text, in.readLong(), in.readLong());
      case "tenant-quota" ->
          new MailboxFault.OverQueued(
              new TenantFault.OverStock(text, TenantLimit.QUEUED, in.readLong(), in.readLong()));
      case "saturated" ->
          new MailboxFault.Saturated(text, in.readLong(), Duration.ofMillis(in.readLong()));
      default -> throw new IOException("no fault is called " + code);
    };
  }

  private static QueueRefusal why(String name) throws IOException {
    for (QueueRefusal each : QueueRefusal.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new IOException("no refusal of a queue is called " + name);
  }
}
