package dev.ron.mailbox.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

  /** Gets one entry; the array is used again for the next. */
  @FunctionalInterface
  public interface Each<E extends Exception> {
    void accept(long[] entry) throws E;
  }

  /** Gives entries one after the other. */
  @FunctionalInterface
  public interface Source<E extends Exception> {
    long[] next() throws E;
  }

  static FrozenTable empty(int words) {
    return new FrozenTable(words, List.of(), 0, 0);
  }

  /** A table of entries that are read from somewhere, the oldest first. */
  public static <E extends Exception> FrozenTable read(int words, long size, Source<E> source)
      throws E {
    var blocks = new ArrayList<MemorySegment>();
    for (long i = 0; i < size; i++) {
      if (i % BLOCK_ENTRIES == 0) {
        blocks.add(AgedTable.block(words, blocks.size()));
      }
      put(blocks.getLast(), i, source.next());
    }
    return new FrozenTable(words, blocks, 0, size);
  }

  static void put(MemorySegment block, long ordinal, long[] entry) {
    long at = ordinal % BLOCK_ENTRIES * entry.length;
    for (int i = 0; i < entry.length; i++) {
      block.setAtIndex(ValueLayout.JAVA_LONG, at + i, entry[i]);
    }
  }

  /** The oldest first. */
  public <E extends Exception> void forEach(Each<E> each) throws E {
    long[] entry = new long[words];
    for (long i = from; i < from + size; i++) {
      MemorySegment block = blocks.get((int) (i / BLOCK_ENTRIES));
      for (int word = 0; word < words; word++) {
        entry[word] = block.getAtIndex(ValueLayout.JAVA_LONG, i % BLOCK_ENTRIES * words + word);
      }
      each.accept(entry);
    }
  }
}
