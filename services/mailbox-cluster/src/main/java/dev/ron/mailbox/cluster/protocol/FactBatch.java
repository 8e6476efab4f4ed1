package dev.ron.mailbox.cluster.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The facts of one entry of a log that several machines share.
 *
 * <p>A version, the term in which they were decided, the position of the first fact, how many there
 * are, and each behind its length. An entry counts only if its facts are the next and it came to
 * the log in that term; see {@code Replica}.
 *
 * <p>Threading: immutable; the records are never changed.
 */
public record FactBatch(long term, long first, List<ByteBuffer> records) {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;

  public FactBatch {
    records = List.copyOf(records);
  }

  /** What a record takes in an entry. */
  public static int bytes(ByteBuffer record) {
    return Integer.BYTES + record.remaining();
  }

  public long next() {
    return first + records.size();
  }

  public ByteBuffer encode() {
    int size = HEAD_BYTES + records.stream().mapToInt(FactBatch::bytes).sum();
    ByteBuffer bytes = ByteBuffer.allocate(size);
    bytes.put(VERSION).putLong(term).putLong(first).putInt(records.size());
    for (ByteBuffer record : records) {
      bytes.putInt(record.remaining()).put(record.duplicate());
    }
    return bytes.flip();
  }

  public static FactBatch decode(ByteBuffer from) throws IOException {
    ByteBuffer bytes = from.slice();
    if (bytes.remaining() < HEAD_BYTES || bytes.get() != VERSION) {
      throw new IOException("an entry of another version");
    }
    long term = bytes.getLong();
    long first = bytes.getLong();
    int count = bytes.getInt();
    var records = new ArrayList<ByteBuffer>();
    for (int i = 0; i < count; i++) {
      int length = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
      if (length <= 0 || length > bytes.remaining()) {
        throw new IOException("an entry whose records are cut");
      }
      records.add(bytes.slice(bytes.position(), length));
      bytes.position(bytes.position() + length);
    }
    if (bytes.hasRemaining()) {
      throw new IOException("an entry with bytes behind its records");
    }
    return new FactBatch(term, first, records);
  }
}
