package dev.ron.mailbox.core.state;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * An {@link AgedTable} at one moment.
 *
 * <p>Threading: immutable; its entries are never changed once they are in.
 *
 * @param words of an entry
 * @param from where in the first block the oldest entry is
 */
public record FrozenTable(int words, List<MemorySegment> blocks, long from, long size) {
  /** About 10 KiB: small beside a shard, large beside the cost of getting a block. */
  static final int BLOCK_ENTRIES = 256;

  private static final ValueLayout.OfLong WRITTEN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Gets some entries as bytes, big-endian; the array is used again for the next. */
  @FunctionalInterface
  public interface Chunks<E extends Exception> {
    void accept(byte[] bytes, int length) throws E;
  }

  /** Fills an array with the next bytes. */
  @FunctionalInterface
  public interface Source<E extends Exception> {
    void fill(byte[] bytes, int length) throws E;
  }

  static FrozenTable empty(int words) {
    return new FrozenTable(words, List.of(), 0, 0);
  }

  /** A table of entries that are read from somewhere, the oldest first. */
  public static <E extends Exception> FrozenTable read(int words, long size, Source<E> source)
      throws E {
    var blocks = new ArrayList<MemorySegment>();
    byte[] bytes = new byte[BLOCK_ENTRIES * words * Long.BYTES];
    for (long done = 0; done < size; done += BLOCK_ENTRIES) {
      int count = (int) Math.min(BLOCK_ENTRIES, size - done) * words;
      source.fill(bytes, count * Long.BYTES);
      MemorySegment block = AgedTable.block(words, blocks.size());
      MemorySegment.copy(
          MemorySegment.ofArray(bytes), WRITTEN, 0, block, ValueLayout.JAVA_LONG, 0, count);
      blocks.add(block);
    }
    return new FrozenTable(words, blocks, 0, size);
  }

  /** The oldest first. */
  public <E extends Exception> void write(Chunks<E> chunks) throws E {
    byte[] bytes = new byte[BLOCK_ENTRIES * words * Long.BYTES];
    long end = from + size;
    for (long at = from; at < end; at += BLOCK_ENTRIES - at % BLOCK_ENTRIES) {
      MemorySegment block = blocks.get((int) (at / BLOCK_ENTRIES));
      int count = (int) Math.min(BLOCK_ENTRIES - at % BLOCK_ENTRIES, end - at) * words;
      MemorySegment.copy(
          block,
          ValueLayout.JAVA_LONG,
          at % BLOCK_ENTRIES * words * Long.BYTES,
          MemorySegment.ofArray(bytes),
          WRITTEN,
          0,
          count);
      chunks.accept(bytes, count * Long.BYTES);
    }
  }

  static void put(MemorySegment block, long ordinal, long[] entry) {
    long at = ordinal % BLOCK_ENTRIES * entry.length;
    for (int i = 0; i < entry.length; i++) {
      block.setAtIndex(ValueLayout.JAVA_LONG, at + i, entry[i]);
    }
  }
}
