package dev.ron.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A file's bytes as programs see them, as the platter has them, and what lies between.
 *
 * <p>Threading: guarded by its {@link FaultyDisk}.
 */
final class FaultyFile {
  private final Content seen;
  private final Content durable;
  private final List<Change> unflushed = new ArrayList<>();

  /** Something a program did since the last flush. */
  private sealed interface Change {
    @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
    record Write(long position, byte[] bytes) implements Change {}

    record Truncate(long size) implements Change {}
  }

  FaultyFile() {
    this(new Content());
  }

  private FaultyFile(Content content) {
    this.seen = content;
    this.durable = content.copy();
  }

  Content content() {
    return seen;
  }

  void write(ByteBuffer from, long position) {
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    seen.write(bytes, bytes.length, position);
    unflushed.add(new Change.Write(position, bytes));
  }

  void truncate(long size) {
    seen.truncate(size);
    unflushed.add(new Change.Truncate(size));
  }

  /** Change by change: a copy of the whole would make each flush as dear as the file is long. */
  void flush() {
    for (Change each : unflushed) {
      switch (each) {
        case Change.Write(long position, byte[] bytes) ->
            durable.write(bytes, bytes.length, position);
        case Change.Truncate(long size) -> durable.truncate(size);
      }
    }
    unflushed.clear();
  }

  /** As programs see it and as the platter has it. */
  void flip(long bit) {
    seen.flip(bit);
    if (bit / 8 < durable.size()) {
      durable.flip(bit);
    }
  }

  /** Still seen by programs, but lost in a crash; no later flush makes it durable. */
  void forgetUnflushed() {
    unflushed.clear();
  }

  /** What is found after the power came back: some of the changes, in some order, some torn. */
  FaultyFile afterCrash(RandomGenerator random, int sectorBytes) {
    Content left = durable.copy();
    List<Change> order = new ArrayList<>(unflushed);
    while (!order.isEmpty()) {
      switch (order.remove(random.nextInt(order.size()))) {
        case Change.Write(long position, byte[] bytes) ->
            left.write(bytes, survivors(bytes.length, position, random, sectorBytes), position);
        case Change.Truncate(long size) -> {
          if (random.nextBoolean()) {
            left.truncate(size);
          }
        }
      }
    }
    return new FaultyFile(left);
  }

  /** How much of a write survives: none, all, or up to the end of some sector. */
  private static int survivors(int length, long position, RandomGenerator random, int sector) {
    return switch (random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> length;
      default -> {
        long end = position + random.nextInt(length + 1);
        long torn = end - end % sector - position;
        yield Math.clamp(torn, 0, length);
      }
    };
  }

  /** Growing bytes. */
  static final class Content {
    private byte[] bytes = new byte[0];
    private int size;

    long size() {
      return size;
    }

    int read(ByteBuffer into, long position) {
      int count = Math.clamp(size - position, 0, into.remaining());
      if (count > 0) {
        into.put(bytes, (int) position, count);
      }
      return count;
    }

    void write(byte[] from, int length, long position) {
      if (length == 0) {
        return;
      }
      int end = Math.toIntExact(position + length);
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
      }
      System.arraycopy(from, 0, bytes, (int) position, length);
      size = Math.max(size, end);
    }

    void truncate(long to) {
      if (to < size) {
        Arrays.fill(bytes, (int) to, size, (byte) 0);
        size = (int) to;
      }
    }

    void flip(long bit) {
      bytes[Math.toIntExact(bit / 8)] ^= (byte) (1 << (bit % 8));
    }

    Content copy() {
      var copy = new Content();
      copy.bytes = Arrays.copyOf(bytes, size);
      copy.size = size;
      return copy;
    }
  }
}
