package dev.ron.mailbox.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.Death;
import dev.ron.mailbox.core.FrozenTable;
import dev.ron.mailbox.core.IndexPage;
import dev.ron.mailbox.core.LaneName;
import dev.ron.mailbox.core.ShardImage;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A shard's image in a snapshot: numbers big-endian, each list behind its length, pages and entries
 * as the words they are in memory.
 *
 * <p>Threading: owned by whoever writes.
 */
public final class ImageWriter {
  /** In place of a lane's topic: no lane has this number. */
  static final String NOBODY = "";

  private final DataOutputStream out;
  private long count;

  private ImageWriter(DataOutputStream out) {
    this.out = out;
  }

  /** Returns how many bytes it was. */
  public static long write(ShardImage image, DataOutputStream out) throws IOException {
    var writer = new ImageWriter(out);
    writer.image(image);
    return writer.count;
  }

  private void image(ShardImage image) throws IOException {
    eight(image.lastId().high());
    eight(image.lastId().low());
    four(image.lanes().size());
    for (LaneName lane : image.lanes()) {
      text(lane == null ? NOBODY : lane.topic());
      text(lane == null ? NOBODY : lane.group());
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
    for (Death death : image.deaths()) {
      death(death);
    }
    table(image.keys());
    table(image.acks());
  }

  private void death(Death death) throws IOException {
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
