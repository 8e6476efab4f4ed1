package dev.ron.mailbox.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueImage;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveAllowance;
import dev.ron.mailbox.core.queue.RedriveTarget;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Queues and moves as bytes, in the journal, in snapshots and between machines: numbers big-endian,
 * texts in UTF-8 behind their length in four bytes, so that they may be of any length.
 *
 * <p>Each begins with a version; what is added later comes with a new one.
 *
 * <p>Threading: stateless.
 */
public final class QueueCodec {
  private static final int VERSION = 1;
  private static final int ENTRIES_MAX = 1 << 20;
  private static final int TEXT_BYTES_MAX = 4 << 20;

  private QueueCodec() {}

  public static void write(QueueRecord queue, DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    text(queue.topic(), out);
    settings(queue.settings(), out);
    texts(queue.opaque(), out);
    texts(queue.tags(), out);
    out.writeLong(queue.createdMillis());
    out.writeLong(queue.changedMillis());
    out.writeLong(queue.purgedMillis());
    out.writeLong(queue.version());
    out.writeLong(queue.generation());
    out.writeBoolean(queue.dedupPerGroup());
    out.writeInt(queue.shard());
  }

  public static QueueRecord queue(DataInputStream in) throws IOException {
    version(in);
    return new QueueRecord(
        text(in),
        settings(in),
        texts(in),
        texts(in),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readBoolean(),
        in.readInt());
  }

  private static void settings(QueueSettings settings, DataOutputStream out) throws IOException {
    out.writeInt(settings.delaySeconds());
    out.writeInt(settings.messageBytesMax());
    out.writeInt(settings.retentionSeconds());
    out.writeInt(settings.receiveWaitSeconds());
    out.writeInt(settings.visibilitySeconds());
    RedriveTarget redrive = settings.redrive();
    out.writeInt(redrive == null ? 0 : redrive.receivesMax());
    text(redrive == null ? "" : redrive.topic(), out);
    text(settings.redriveAllow().permission().name(), out);
    out.writeInt(settings.redriveAllow().sources().size());
    for (String source : settings.redriveAllow().sources()) {
      text(source, out);
    }
    out.writeBoolean(settings.contentDedup());
    out.writeBoolean(settings.dedupPerGroup());
    out.writeBoolean(settings.throughputPerGroup());
  }

  private static QueueSettings settings(DataInputStream in) throws IOException {
    int delay = in.readInt();
    int bytesMax = in.readInt();
    int retention = in.readInt();
    int wait = in.readInt();
    int visibility = in.readInt();
    int receivesMax = in.readInt();
    String target = text(in);
    RedriveAllowance.Permission permission = of(RedriveAllowance.Permission.class, text(in));
    List<String> sources = new ArrayList<>();
    for (int left = length(in); left > 0; left--) {
      sources.add(text(in));
    }
    return new QueueSettings(
        delay,
        bytesMax,
        retention,
        wait,
        visibility,
        receivesMax == 0 ? null : new RedriveTarget(target, receivesMax),
        new RedriveAllowance(permission, sources),
        in.readBoolean(),
        in.readBoolean(),
        in.readBoolean());
  }

  public static void write(MoveTask task, DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    text(task.id(), out);
    text(task.source(), out);
    text(task.destination(), out);
    out.writeInt(task.perSecond());
    out.writeLong(task.startedMillis());
    text(task.status().name(), out);
    out.writeLong(task.moved());
    out.writeLong(task.toMove());
    text(task.failure(), out);
  }

  public static MoveTask move(DataInputStream in) throws IOException {
    version(in);
    return new MoveTask(
        text(in),
        text(in),
        text(in),
        in.readInt(),
        in.readLong(),
        status(text(in)),
        in.readLong(),
        in.readLong(),
        text(in));
  }

  public static MoveTask.Status status(String name) throws IOException {
    return of(MoveTask.Status.class, name);
  }

  static void write(QueueImage image, DataOutputStream out) throws IOException {
    out.writeInt(image.queues().size());
    for (QueueRecord queue : image.queues()) {
      write(queue, out);
    }
    out.writeInt(image.gone().size());
    for (Map.Entry<String, Long> each : image.gone().entrySet()) {
      text(each.getKey(), out);
      out.writeLong(each.getValue());
    }
    out.writeInt(image.moves().size());
    for (MoveTask task : image.moves()) {
      write(task, out);
    }
    out.writeInt(image.movedFrom().size());
    for (Map.Entry<Long, String> each : image.movedFrom().entrySet()) {
      out.writeLong(each.getKey());
      text(each.getValue(), out);
    }
    out.writeInt(image.firstReceived().size());
    for (Map.Entry<Long, Long> each : image.firstReceived().entrySet()) {
      out.writeLong(each.getKey());
      out.writeLong(each.getValue());
    }
  }

  static QueueImage image(DataInputStream in) throws IOException {
    var queues = new ArrayList<QueueRecord>();
    for (int left = in.readInt(); left > 0; left--) {
      queues.add(queue(in));
    }
    var gone = new HashMap<String, Long>();
    for (int left = in.readInt(); left > 0; left--) {
      gone.put(text(in), in.readLong());
    }
    var moves = new ArrayList<MoveTask>();
    for (int left = in.readInt(); left > 0; left--) {
      moves.add(move(in));
    }
    var movedFrom = new HashMap<Long, String>();
    for (int left = in.readInt(); left > 0; left--) {
      movedFrom.put(in.readLong(), text(in));
    }
    var firstReceived = new HashMap<Long, Long>();
    for (int left = in.readInt(); left > 0; left--) {
      firstReceived.put(in.readLong(), in.readLong());
    }
    return new QueueImage(queues, gone, moves, movedFrom, firstReceived);
  }

  /** A text of any length, unlike {@link DataOutputStream#writeUTF}. */
  public static void text(String text, DataOutputStream out) throws IOException {
    byte[] utf8 = text.getBytes(UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  public static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > TEXT_BYTES_MAX) {
      throw new IOException("a text of " + length + " bytes");
    }
    byte[] utf8 = in.readNBytes(length);
    if (utf8.length < length) {
      throw new IOException("a text that ends too early");
    }
    return new String(utf8, UTF_8);
  }

  public static void texts(Map<String, String> texts, DataOutputStream out) throws IOException {
    out.writeInt(texts.size());
    for (Map.Entry<String, String> each : texts.entrySet()) {
      text(each.getKey(), out);
      text(each.getValue(), out);
    }
  }

  public static Map<String, String> texts(DataInputStream in) throws IOException {
    var texts = new LinkedHashMap<String, String>();
    for (int left = length(in); left > 0; left--) {
      texts.put(text(in), text(in));
    }
    return texts;
  }

  private static int length(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > ENTRIES_MAX) {
      throw new IOException(length + " entries");
    }
    return length;
  }

  private static void version(DataInputStream in) throws IOException {
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException("a queue of version " + version + ", known is " + VERSION);
    }
  }

  private static <T extends Enum<T>> T of(Class<T> kind, String name) throws IOException {
    try {
      return Enum.valueOf(kind, name);
    } catch (IllegalArgumentException unknown) {
      throw new IOException("an unknown " + kind.getSimpleName(), unknown);
    }
  }
}
