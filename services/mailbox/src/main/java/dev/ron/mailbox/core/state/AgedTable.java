package dev.ron.mailbox.core.state;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * Entries of a few words under a key of two, kept in the order they came and dropped in that order.
 *
 * <p>The entries lie outside of the heap in blocks that are filled once and given up whole, so that
 * millions of them cost the collector nothing; an index of one int for each finds them. An entry is
 * never changed, so a copy of the list of blocks is a copy of the table.
 *
 * <p>Threading: owned by the shard's loop; a {@link FrozenTable} may be read by another thread.
 */
final class AgedTable {
  static final int BLOCK_ENTRIES = FrozenTable.BLOCK_ENTRIES;

  /** A small table is not worth memory of its own. */
  static final int HEAP_BLOCKS = 4;

  private static final int INDEX_MIN = 64;
  private static final int NONE = -1;

  private final int words;
  private final ArrayDeque<MemorySegment> blocks = new ArrayDeque<>();

  /** The blocks by number, modulo a power of two; the deque alone cannot be asked for the n-th. */
  private MemorySegment[] byNumber = new MemorySegment[4];

  private int[] index = emptyIndex(INDEX_MIN);

  /** Ordinals count entries from the first ever; those from {@code oldest} on are here. */
  private long oldest;

  private long next;

  /**
   * @param words of an entry, the two of its key included
   */
  AgedTable(int words) {
    this.words = words;
  }

  /** A table that takes over the entries of a frozen one, whose own table is not used any more. */
  AgedTable(FrozenTable frozen) {
    this(frozen.words());
    blocks.addAll(frozen.blocks());
    oldest = frozen.from();
    next = oldest + frozen.size();
    while (byNumber.length < blocks.size()) {
      byNumber = new MemorySegment[byNumber.length * 2];
    }
    int number = 0;
    for (MemorySegment block : blocks) {
      byNumber[number++] = block;
    }
    int length = INDEX_MIN;
    while (length < 2 * size()) {
      length *= 2;
    }
    index = emptyIndex(length);
    // The newest first: of two under one key it is then the one that is found.
    for (long ordinal = next - 1; ordinal >= oldest; ordinal--) {
      link(ordinal);
    }
  }

  private static int[] emptyIndex(int size) {
    int[] fresh = new int[size];
    Arrays.fill(fresh, NONE);
    return fresh;
  }

  /** The ordinal of the newest entry under a key, -1 if there is none. */
  long find(long key0, long key1) {
    int mask = index.length - 1;
    for (int at = slot(key0, key1, mask); index[at] != NONE; at = (at + 1) & mask) {
      long ordinal = ordinal(index[at]);
      if (word(ordinal, 0) == key0 && word(ordinal, 1) == key1) {
        return ordinal;
      }
    }
    return NONE;
  }

  /** The key's bits are chance in one table and time and number in the other; this mixes both. */
  private static int slot(long key0, long key1, int mask) {
    long mixed = (key0 ^ Long.rotateLeft(key1, 32)) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 32) & mask;
  }

  /** From the 31 bits in the index: the one of that remainder that is here. */
  private long ordinal(int low) {
    return oldest + ((low - (int) oldest) & 0x7fff_ffffL);
  }

  long word(long ordinal, int word) {
    long at = ordinal % BLOCK_ENTRIES * words + word;
    return byNumber[(int) (ordinal / BLOCK_ENTRIES) & (byNumber.length - 1)].getAtIndex(
        ValueLayout.JAVA_LONG, at);
  }

  /** Adds an entry behind all others; of one with the same key only the new one is found. */
  void add(long... entry) {
    for (long same = find(entry[0], entry[1]); same != NONE; same = find(entry[0], entry[1])) {
      unlink(same);
    }
    if (next % BLOCK_ENTRIES == 0) {
      addBlock();
    }
    FrozenTable.put(blocks.getLast(), next, entry);
    long ordinal = next++;
    if (size() * 2 > index.length) {
      rebuild(index.length * 2);
    } else {
      link(ordinal);
    }
  }

  private void addBlock() {
    int number = (int) (next / BLOCK_ENTRIES);
    if (blocks.size() == byNumber.length) {
      var roomy = new MemorySegment[byNumber.length * 2];
      int each = number - blocks.size();
      for (MemorySegment block : blocks) {
        roomy[each++ & (roomy.length - 1)] = block;
      }
      byNumber = roomy;
    }
    MemorySegment block = block(words, blocks.size());
    blocks.add(block);
    byNumber[number & (byNumber.length - 1)] = block;
  }

  /** A small table stays in the heap, where getting a block costs nothing. */
  static MemorySegment block(int words, int others) {
    return others < HEAP_BLOCKS
        ? MemorySegment.ofArray(new long[BLOCK_ENTRIES * words])
        : Arena.ofAuto().allocate((long) BLOCK_ENTRIES * words * Long.BYTES, Long.BYTES);
  }

  /** Drops the oldest entry. */
  void removeOldest() {
    // One that a later entry replaced has lost its place in the index already.
    unlink(oldest);
    oldest++;
    if (oldest % BLOCK_ENTRIES == 0) {
      byNumber[(int) (oldest / BLOCK_ENTRIES - 1) & (byNumber.length - 1)] = MemorySegment.NULL;
      blocks.removeFirst();
    }
    if (index.length > INDEX_MIN && size() * 8 < index.length) {
      rebuild(index.length / 2);
    }
  }

  private void link(long ordinal) {
    int mask = index.length - 1;
    int at = slot(word(ordinal, 0), word(ordinal, 1), mask);
    while (index[at] != NONE) {
      at = (at + 1) & mask;
    }
    index[at] = stored(ordinal);
  }

  /** Of the ordinal 31 bits, which tell two billion apart; never -1, which stands for nothing. */
  private static int stored(long ordinal) {
    return (int) ordinal & 0x7fff_ffff;
  }

  /** Takes an entry out of the index and moves up those that it had pushed along. */
  private void unlink(long ordinal) {
    int mask = index.length - 1;
    int wanted = stored(ordinal);
    int at = slot(word(ordinal, 0), word(ordinal, 1), mask);
    while (index[at] != wanted) {
      if (index[at] == NONE) {
        return;
      }
      at = (at + 1) & mask;
    }
    int hole = at;
    for (int later = (at + 1) & mask; index[later] != NONE; later = (later + 1) & mask) {
      long moved = ordinal(index[later]);
      int home = slot(word(moved, 0), word(moved, 1), mask);
      if (((later - home) & mask) >= ((later - hole) & mask)) {
        index[hole] = index[later];
        hole = later;
      }
    }
    index[hole] = NONE;
  }

  private void rebuild(int size) {
    int[] old = index;
    index = emptyIndex(size);
    int gap = 0;
    while (old[gap] != NONE) {
      gap++;
    }
    // From a gap on, so that those that share a slot keep their order.
    for (int i = 0; i < old.length; i++) {
      int each = old[(gap + i) & (old.length - 1)];
      if (each != NONE) {
        link(ordinal(each));
      }
    }
    long newest = next - 1;
    if (newest >= oldest && find(word(newest, 0), word(newest, 1)) != newest) {
      link(newest);
    }
  }

  long oldest() {
    return oldest;
  }

  /** Entries here, those that a later one replaced included. */
  long size() {
    return next - oldest;
  }

  /** What it takes of memory, in the heap and outside. */
  long bytes() {
    return (long) blocks.size() * BLOCK_ENTRIES * words * Long.BYTES
        + (long) index.length * Integer.BYTES;
  }

  /** The entries as they are now, for another thread to read. */
  FrozenTable freeze() {
    return new FrozenTable(words, List.copyOf(blocks), oldest % BLOCK_ENTRIES, size());
  }
}
