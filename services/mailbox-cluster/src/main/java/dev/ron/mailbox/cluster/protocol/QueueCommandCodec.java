package dev.ron.mailbox.cluster.protocol;

import static dev.ron.mailbox.journal.QueueCodec.text;
import static dev.ron.mailbox.journal.QueueCodec.texts;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.journal.QueueCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a shard is to do about a queue, on its way to the machine that decides for it.
 *
 * <p>Texts may be of any length: attributes and policies are longer than {@code writeUTF} takes.
 *
 * <p>Threading: stateless.
 */
final class QueueCommandCodec {
  private QueueCommandCodec() {}

  static void write(QueueCommand command, DataOutputStream out) throws IOException {
    switch (command) {
      case QueueCommand.Make(QueueRecord wanted, List<String> named) -> {
        out.writeByte(1);
        QueueCodec.write(wanted, out);
        out.writeInt(named.size());
        for (String each : named) {
          text(each, out);
        }
      }
      case QueueCommand.Find(String topic) -> named(2, topic, out);
      case QueueCommand.Change(QueueRecord next) -> {
        out.writeByte(3);
        QueueCodec.write(next, out);
      }
      case QueueCommand.Delete(String topic) -> named(4, topic, out);
      case QueueCommand.Purge(String topic) -> named(5, topic, out);
      case QueueCommand.Clear(String topic) -> named(6, topic, out);
      case QueueCommand.Put put -> put(put, out);
      case QueueCommand.Settle settle -> settle(settle, out);
      case QueueCommand.Again _ ->
          throw new IllegalArgumentException("not asked of another machine: " + command);
      case QueueCommand.Move(String topic, String destination, int max) -> {
        named(9, topic, out);
        text(destination, out);
        out.writeInt(max);
      }
      case QueueCommand.StartMove(MoveTask task) -> {
        out.writeByte(10);
        QueueCodec.write(task, out);
      }
      case QueueCommand.MoveStep step -> {
        named(11, step.topic(), out);
        text(step.id(), out);
        out.writeLong(step.moved());
        text(step.then().name(), out);
        text(step.failure(), out);
      }
    }
  }

  private static void named(int kind, String topic, DataOutputStream out) throws IOException {
    out.writeByte(kind);
    text(topic, out);
  }

  private static void put(QueueCommand.Put put, DataOutputStream out) throws IOException {
    named(7, put.topic(), out);
    out.writeInt(put.body().length);
    out.write(put.body());
    out.write(put.payloadHash().bytes());
    texts(put.attrs(), out);
    out.writeInt(put.delaySeconds());
    text(put.group(), out);
    text(put.dedupId(), out);
    text(put.retryKey(), out);
    out.writeInt(put.bytes());
    text(put.corrId(), out);
    out.writeLong(put.tsMillis());
  }

  private static void settle(QueueCommand.Settle settle, DataOutputStream out) throws IOException {
    named(8, settle.topic(), out);
    CommandCodec.write(settle.id(), out);
    Receipt receipt = settle.receipt();
    out.writeBoolean(receipt != null);
    out.writeLong(receipt == null ? 0 : receipt.bits());
    out.writeLong(settle.visibilityMillis());
  }

  static QueueCommand read(DataInputStream in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case 1 -> make(in);
      case 2 -> new QueueCommand.Find(text(in));
      case 3 -> new QueueCommand.Change(QueueCodec.queue(in));
      case 4 -> new QueueCommand.Delete(text(in));
      case 5 -> new QueueCommand.Purge(text(in));
      case 6 -> new QueueCommand.Clear(text(in));
      case 7 -> put(in);
      case 8 -> settle(in);
      case 9 -> new QueueCommand.Move(text(in), text(in), in.readInt());
      case 10 -> new QueueCommand.StartMove(QueueCodec.move(in));
      case 11 ->
          new QueueCommand.MoveStep(
              text(in), text(in), in.readLong(), QueueCodec.status(text(in)), text(in));
      default -> throw new IOException("no command about queues has the number " + kind);
    };
  }

  private static QueueCommand make(DataInputStream in) throws IOException {
    QueueRecord wanted = QueueCodec.queue(in);
    var named = new ArrayList<String>();
    for (int left = in.readInt(); left > 0; left--) {
      named.add(text(in));
    }
    return new QueueCommand.Make(wanted, named);
  }

  private static QueueCommand put(DataInputStream in) throws IOException {
    return new QueueCommand.Put(
        text(in),
        in.readNBytes(in.readInt()),
        Hash.of(in.readNBytes(Hash.BYTES)),
        texts(in),
        in.readInt(),
        text(in),
        text(in),
        text(in),
        in.readInt(),
        text(in),
        in.readLong());
  }

  private static QueueCommand settle(DataInputStream in) throws IOException {
    String topic = text(in);
    Ulid id = CommandCodec.id(in);
    boolean shown = in.readBoolean();
    long bits = in.readLong();
    return new QueueCommand.Settle(topic, id, shown ? new Receipt(bits) : null, in.readLong());
  }
}
