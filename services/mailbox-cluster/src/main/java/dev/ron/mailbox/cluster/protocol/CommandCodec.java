package dev.ron.mailbox.cluster.protocol;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.core.message.Ulid;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a shard is to do, on its way to the machine that decides for it.
 *
 * <p>Threading: stateless.
 */
final class CommandCodec {
  /** Those about queues; which one is in the next byte. */
  private static final int QUEUE = 7;

  private CommandCodec() {}

  /**
   * @param topic of the message that a word about one is about; if it is not known, all that its
   *     caller reaches
   */
  static void write(Command command, String topic, DataOutputStream out) throws IOException {
    switch (command) {
      case Command.Send send -> {
        out.writeByte(1);
        out.writeUTF(send.topic());
        out.writeUTF(send.idemKey());
        out.writeInt(send.body().length);
        out.write(send.body());
        out.write(send.payloadHash().bytes());
        out.writeInt(send.attrs().size());
        for (Map.Entry<String, String> each : send.attrs().entrySet()) {
          out.writeUTF(each.getKey());
          out.writeUTF(each.getValue());
        }
        out.writeLong(send.delayMillis());
        out.writeUTF(send.group());
        out.writeUTF(send.corrId());
        out.writeLong(send.tsMillis());
        out.writeBoolean(send.refuseDuplicate());
      }
      case Command.Ack ack -> {
        out.writeByte(2);
        settle(ack.id(), ack.receipt(), topic, out);
      }
      case Command.Nack nack -> {
        out.writeByte(3);
        settle(nack.id(), nack.receipt(), topic, out);
        out.writeUTF(nack.reason());
        Long delay = nack.delayMillis();
        out.writeLong(delay == null ? -1 : delay);
      }
      case Command.Extend extend -> {
        out.writeByte(4);
        settle(extend.id(), extend.receipt(), topic, out);
        out.writeLong(extend.visibilityMillis());
      }
      case Command.Reprocess(DeadLetterFilter filter, int max, int perSecond) -> {
        out.writeByte(5);
        write(filter, out);
        out.writeInt(max);
        out.writeInt(perSecond);
      }
      case Command.Drop(DeadLetterFilter filter, int max) -> {
        out.writeByte(6);
        write(filter, out);
        out.writeInt(max);
      }
      case Command.Receive _, Command.Tick _, Command.Retain _, Command.Carry _ ->
          throw new IllegalArgumentException("not asked of another machine: " + command);
      case QueueCommand queue -> {
        out.writeByte(QUEUE);
        QueueCommandCodec.write(queue, out);
      }
    }
  }

  static Command read(DataInputStream in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case 1 -> send(in);
      case 2 -> {
        SettledMessage word = settled(in);
        yield new Command.Ack(word.id(), word.receipt(), word.reach());
      }
      case 3 -> {
        SettledMessage word = settled(in);
        String reason = in.readUTF();
        long delay = in.readLong();
        yield new Command.Nack(
            word.id(), word.receipt(), reason, delay < 0 ? null : delay, word.reach());
      }
      case 4 -> {
        SettledMessage word = settled(in);
        yield new Command.Extend(word.id(), word.receipt(), in.readLong(), word.reach());
      }
      case 5 -> new Command.Reprocess(filter(in), in.readInt(), in.readInt());
      case 6 -> new Command.Drop(filter(in), in.readInt());
      case QUEUE -> QueueCommandCodec.read(in);
      default -> throw new IOException("no command has the number " + kind);
    };
  }

  private static Command.Send send(DataInputStream in) throws IOException {
    String topic = in.readUTF();
    String key = in.readUTF();
    byte[] body = in.readNBytes(in.readInt());
    Hash hash = Hash.of(in.readNBytes(Hash.BYTES));
    Map<String, String> attrs = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      attrs.put(in.readUTF(), in.readUTF());
    }
    return new Command.Send(
        topic,
        key,
        body,
        hash,
        attrs,
        in.readLong(),
        in.readUTF(),
        in.readUTF(),
        in.readLong(),
        in.readBoolean());
  }

  /** A word about a message, good for one topic. */
  private record SettledMessage(Ulid id, @Nullable Receipt receipt, String topic) {
    TopicReach reach() {
      return new TopicReach(
          TopicOwner.ofEverything(topic).orElse(TopicOwner.OPERATOR), found -> found.equals(topic));
    }
  }

  private static void settle(Ulid id, @Nullable Receipt receipt, String topic, DataOutputStream out)
      throws IOException {
    write(id, out);
    out.writeBoolean(receipt != null);
    out.writeLong(receipt == null ? 0 : receipt.bits());
    out.writeUTF(topic);
  }

  private static SettledMessage settled(DataInputStream in) throws IOException {
    Ulid id = id(in);
    boolean shown = in.readBoolean();
    long bits = in.readLong();
    return new SettledMessage(id, shown ? new Receipt(bits) : null, in.readUTF());
  }

  private static void write(DeadLetterFilter filter, DataOutputStream out) throws IOException {
    writeOrNot(filter.id(), out);
    writeOrNot(filter.after(), out);
    DeadLetterReason reason = filter.reason();
    out.writeUTF(filter.topic() == null ? filter.owner().everything() : filter.topic());
    out.writeUTF(reason == null ? "" : reason.code());
  }

  private static DeadLetterFilter filter(DataInputStream in) throws IOException {
    Ulid id = idOrNot(in);
    Ulid after = idOrNot(in);
    String topic = in.readUTF();
    String reason = in.readUTF();
    Optional<TopicOwner> every = TopicOwner.ofEverything(topic);
    return new DeadLetterFilter(
        every.orElse(TopicOwner.OPERATOR),
        id,
        every.isPresent() ? null : topic,
        DeadLetterReason.of(reason).orElse(null),
        after);
  }

  private static void writeOrNot(@Nullable Ulid id, DataOutputStream out) throws IOException {
    out.writeBoolean(id != null);
    write(id == null ? Ulid.NONE : id, out);
  }

  private static @Nullable Ulid idOrNot(DataInputStream in) throws IOException {
    boolean there = in.readBoolean();
    Ulid id = id(in);
    return there ? id : null;
  }

  static void write(Ulid id, DataOutputStream out) throws IOException {
    out.writeLong(id.high());
    out.writeLong(id.low());
  }

  static Ulid id(DataInputStream in) throws IOException {
    return new Ulid(in.readLong(), in.readLong());
  }
}
