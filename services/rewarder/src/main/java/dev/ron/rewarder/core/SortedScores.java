package dev.ron.rewarder.core;

import java.util.Arrays;

/**
 * A table's actors in the unsigned order of their bytes.
 *
 * <p>What all actors begin with is passed over, and the eight bytes behind it are compared as one
 * number; the rest is looked at only where those are the same.
 *
 * <p>Threading: immutable as long as nobody adds to the table.
 */
public final class SortedScores implements ScoreCursor.Source {
  private static final int SMALL = 24;

  private final ScoreTable table;
  private final int[] order;
  private final long[] keys;
  private final int common;

  public SortedScores(ScoreTable table) {
    this.table = table;
    this.order = new int[table.size()];
    Arrays.setAll(order, i -> i);
    this.common = common(table);
    this.keys = new long[table.size()];
    Arrays.setAll(keys, this::key);
    sort(0, order.length - 1);
  }

  public int size() {
    return order.length;
  }

  /** The place in the table of the actor that comes at {@code position}. */
  public int entry(int position) {
    return order[position];
  }

  public ScoreTable table() {
    return table;
  }

  @Override
  public ScoreCursor open() {
    return new Cursor();
  }

  @Override
  public boolean overflowed() {
    return table.overflowed();
  }

  private static int common(ScoreTable table) {
    if (table.size() == 0) {
      return 0;
    }
    byte[] first = table.page(0);
    int from = table.actorOffset(0);
    int common = table.actorLength(0);
    for (int i = 1; i < table.size() && common > 0; i++) {
      int length = Math.min(common, table.actorLength(i));
      int at = table.actorOffset(i);
      int differs = Arrays.mismatch(first, from, from + length, table.page(i), at, at + length);
      common = differs < 0 ? length : differs;
    }
    return common;
  }

  /** The next eight bytes, zeros behind the end; turned so that signed order is the right one. */
  private long key(int entry) {
    byte[] page = table.page(entry);
    int from = table.actorOffset(entry) + common;
    int length = Math.min(Long.BYTES, table.actorLength(entry) - common);
    long key = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      key = (key << 8) | (i < length ? page[from + i] & 0xff : 0);
    }
    return key ^ Long.MIN_VALUE;
  }

  private int compare(long key, int entry, int position) {
    if (key != keys[position]) {
      return key < keys[position] ? -1 : 1;
    }
    int other = order[position];
    if (entry == other) {
      return 0;
    }
    int a = table.actorOffset(entry);
    int b = table.actorOffset(other);
    return Arrays.compareUnsigned(
        table.page(entry),
        a + common,
        a + table.actorLength(entry),
        table.page(other),
        b + common,
        b + table.actorLength(other));
  }

  private void sort(int from, int to) {
    int low = from;
    int high = to;
    while (high - low > SMALL) {
      int split = partition(low, high);
      // The shorter side first, so that the stack stays as deep as a logarithm.
      if (split - low < high - split) {
        sort(low, split);
        low = split + 1;
      } else {
        sort(split + 1, high);
        high = split;
      }
    }
    for (int i = low + 1; i <= high; i++) {
      long key = keys[i];
      int entry = order[i];
      int at = i - 1;
      for (; at >= low && compare(key, entry, at) < 0; at--) {
        keys[at + 1] = keys[at];
        order[at + 1] = order[at];
      }
      keys[at + 1] = key;
      order[at + 1] = entry;
    }
  }

  /** Hoare's, around the median of three. */
  private int partition(int low, int high) {
    int middle = (low + high) >>> 1;
    if (compare(keys[middle], order[middle], low) < 0) {
      swap(low, middle);
    }
    if (compare(keys[high], order[high], middle) < 0) {
      swap(middle, high);
      if (compare(keys[middle], order[middle], low) < 0) {
        swap(low, middle);
      }
    }
    long key = keys[middle];
    int entry = order[middle];
    int i = low - 1;
    int j = high + 1;
    while (true) {
      do {
        i++;
      } while (compare(key, entry, i) > 0);
      do {
        j--;
      } while (compare(key, entry, j) < 0);
      if (i >= j) {
        return j;
      }
      swap(i, j);
    }
  }

  private void swap(int a, int b) {
    long key = keys[a];
    keys[a] = keys[b];
    keys[b] = key;
    int entry = order[a];
    order[a] = order[b];
    order[b] = entry;
  }

  private final class Cursor implements ScoreCursor {
    private int at = -1;

    @Override
    public boolean next() {
      return ++at < order.length;
    }

    @Override
    public byte[] actorBuffer() {
      return table.page(order[at]);
    }

    @Override
    public int actorOffset() {
      return table.actorOffset(order[at]);
    }

    @Override
    public int actorLength() {
      return table.actorLength(order[at]);
    }

    @Override
    public int badLines() {
      return table.badLines(order[at]);
    }

    @Override
    public Wide score(int pool) {
      return table.score(order[at], pool);
    }

    @Override
    public void close() {
      // memory only
    }
  }
}
