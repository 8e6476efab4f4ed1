package dev.ron.mailbox.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueImage;
import dev.ron.mailbox.core.state.FrozenTable;
import dev.ron.mailbox.core.state.IndexPage;
import dev.ron.mailbox.core.state.MessageGroupName;
import dev.ron.mailbox.core.state.ShardImage;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ShardImageWriter} wrote.
 *
 * <p>The bytes have passed the snapshot's checksums; a length that cannot be is a bug or another
 * version, and stops the start before memory is asked for it.
 *
 * <p>Threading: owned by the thread that reads.
 */
public final class ShardImageReader {
  private static final int TEXT_BYTES_MAX = 64 << 10;
  private static final int WORDS_MAX = 16;

  private final DataInputStream in;

  private ShardImageReader(DataInputStream in) {
    this.in = in;
  }

  public static ShardImage read(DataInputStream in) throws IOException {
    return read(in, true);
  }

  /**
   * @param queues false for one that was written before there were queues
   */
  static ShardImage read(DataInputStream in, boolean queues) throws IOException {
    try {
      return new ShardImageReader(in).image(queues);
    } catch (IllegalArgumentException cannotBe) {
      // By a noun that refuses what was read for it.
      throw new IOException("a shard that cannot be: " + cannotBe.getMessage(), cannotBe);
    }
  }

  private ShardImage image(boolean queues) throws IOException {
    Ulid lastId = id();
    List<@Nullable MessageGroupName> lanes = new ArrayList<>();
    for (int left = length(); left > 0; left--) {
      String topic = text();
      String group = text();
      lanes.add(topic.equals(ShardImageWriter.NO_LANE) ? null : new MessageGroupName(topic, group));
    }
    var pages = new ArrayList<IndexPage>();
    for (int left = length(); left > 0; left--) {
      pages.add(new IndexPage(in.readLong(), words(IndexPage.LENGTH)));
    }
    Map<Long, Long> delayed = times();
    Map<Long, Long> sentAgain = times();
    var errors = new HashMap<Long, String>();
    for (int left = length(); left > 0; left--) {
      errors.put(in.readLong(), text());
    }
    var deaths = new ArrayList<DeadLetterEntry>();
    for (int left = length(); left > 0; left--) {
      deaths.add(death());
    }
    return new ShardImage(
        lastId,
        lanes,
        pages,
        delayed,
        errors,
        sentAgain,
        deaths,
        table(),
        table(),
        queues ? QueueCodec.image(in) : QueueImage.NONE);
  }

  private DeadLetterEntry death() throws IOException {
    Ulid id = id();
    String code = text();
    DeadLetterReason reason =
        DeadLetterReason.of(code).orElseThrow(() -> new IOException("an unknown reason of death"));
    return new DeadLetterEntry(id, reason, in.readInt(), text(), in.readLong());
  }

  private Map<Long, Long> times() throws IOException {
    var times = new HashMap<Long, Long>();
    for (int left = length(); left > 0; left--) {
      times.put(in.readLong(), in.readLong());
    }
    return times;
  }

  private FrozenTable table() throws IOException {
    int words = in.readInt();
    long size = in.readLong();
    if (words < 2 || words > WORDS_MAX || size < 0) {
      throw new IOException("a table of %d entries of %d words".formatted(size, words));
    }
    return FrozenTable.read(words, size, (bytes, length) -> in.readFully(bytes, 0, length));
  }

  private long[] words(int count) throws IOException {
    byte[] bytes = in.readNBytes(count * Long.BYTES);
    if (bytes.length < count * Long.BYTES) {
      throw new IOException("a snapshot that ends too early");
    }
    long[] words = new long[count];
    ByteBuffer.wrap(bytes).asLongBuffer().get(words);
    return words;
  }

  private Ulid id() throws IOException {
    return new Ulid(in.readLong(), in.readLong());
  }

  private String text() throws IOException {
    int length = length();
    if (length > TEXT_BYTES_MAX) {
      throw new IOException("a text of " + length + " bytes");
    }
    return new String(in.readNBytes(length), UTF_8);
  }

  private int length() throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw new IOException("a length of " + length);
    }
    return length;
  }
}
