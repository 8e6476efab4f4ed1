package dev.ron.mailbox.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.state.FrozenTable;
import dev.ron.mailbox.core.state.IndexPage;
import dev.ron.mailbox.core.state.MessageGroupName;
import dev.ron.mailbox.core.state.ShardImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A shard's image in a snapshot: numbers big-endian, each list behind its length, pages and entries
 * as the words they are in memory.
 *
 * <p>Threading: owned by the thread that writes.
 */
public final class ShardImageWriter {
  /** In place of a lane's topic: no lane has this number. */
  static final String NO_LANE = "";

  private final DataOutputStream out;
  private long count;

  private ShardImageWriter(DataOutputStream out) {
    this.out = out;
  }

  /** Returns how many bytes it was. */
  public static long write(ShardImage image, DataOutputStream out) throws IOException {
    var writer = new ShardImageWriter(out);
    writer.image(image);
    return writer.count;
  }

  private void image(ShardImage image) throws IOException {
    eight(image.lastId().high());
    eight(image.lastId().low());
    four(image.lanes().size());
    for (MessageGroupName lane : image.lanes()) {
      text(lane == null ? NO_LANE : lane.topic());
      text(lane == null ? NO_LANE : lane.group());
    }
    four(image.pages().size());
    for (IndexPage page : image.pages()) {
      eight(page.number());
      words(page.words());
    }
    times(image.delayed());
    times(image.sentAgain());
    four(image.errors().size());
    for (Map.Entry<Long, String> error : image.errors().entrySet()) {
      eight(error.getKey());
      text(error.getValue());
    }
    four(image.deaths().size());
    for (DeadLetterEntry death : image.deaths()) {
      death(death);
    }
    table(image.keys());
    table(image.acks());
    var queues = new ByteArrayOutputStream();
    QueueCodec.write(image.queues(), new DataOutputStream(queues));
    raw(queues.toByteArray());
  }

  private void death(DeadLetterEntry death) throws IOException {
    eight(death.id().high());
    eight(death.id().low());
    text(death.reason().code());
    four(death.attempts());
    text(death.lastError());
    eight(death.atMillis());
  }

  private void times(Map<Long, Long> times) throws IOException {
    four(times.size());
    for (Map.Entry<Long, Long> each : times.entrySet()) {
      eight(each.getKey());
      eight(each.getValue());
    }
  }

  private void table(FrozenTable table) throws IOException {
    four(table.words());
    eight(table.size());
    table.write(
        (bytes, length) -> {
          out.write(bytes, 0, length);
          count += length;
        });
  }

  private void words(long[] words) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES);
    bytes.asLongBuffer().put(words);
    raw(bytes.array());
  }

  private void text(String text) throws IOException {
    byte[] utf8 = text.getBytes(UTF_8);
    four(utf8.length);
    raw(utf8);
  }

  private void raw(byte[] bytes) throws IOException {
    out.write(bytes);
    count += bytes.length;
  }

  private void four(int value) throws IOException {
    out.writeInt(value);
    count += Integer.BYTES;
  }

  private void eight(long value) throws IOException {
    out.writeLong(value);
    count += Long.BYTES;
  }
}
