package dev.ron.rewarder.core.score;

import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import java.util.Arrays;

/**
 * All actors in the unsigned order of their bytes.
 *
 * <p>What all actors begin with is passed over, and the eight bytes behind it are compared as one
 * number; the rest is looked at only where those are the same.
 *
 * <p>Threading: immutable as long as no thread adds to the tables.
 */
public final class SortedScores implements ScoreCursor.Source {
  private static final int SMALL = 24;

  /** A place is the number of a table above the number of an entry in it. */
  private static final int ENTRY_BITS = 24;

  private static final int ENTRY_MASK = (1 << ENTRY_BITS) - 1;

  private final ScoreTable[] tables;
  private final int[] order;
  private final long[] keys;
  private final int common;
  private final boolean overflowed;

  public SortedScores(ScoreTable table) {
    this(new ScoreTable[] {table}, table.overflowed());
  }

  /** Of all that does not wait there. */
  public SortedScores(ScoreParts parts) {
    this(tables(parts), parts.overflowed());
  }

  private SortedScores(ScoreTable[] tables, boolean overflowed) {
    this.tables = tables;
    this.overflowed = overflowed;
    this.common = common(tables);
    this.order = places(tables);
    this.keys = new long[order.length];
    Arrays.setAll(keys, i -> key(order[i]));
    sort(0, order.length - 1);
  }

  private static ScoreTable[] tables(ScoreParts parts) {
    var tables = new ScoreTable[parts.tables()];
    Arrays.setAll(tables, parts::table);
    return tables;
  }

  private static int[] places(ScoreTable[] tables) {
    int size = 0;
    for (ScoreTable table : tables) {
      size = Math.addExact(size, table.size());
    }
    int[] places = new int[size];
    int next = 0;
    for (int i = 0; i < tables.length; i++) {
      if (tables[i].size() > ENTRY_MASK) {
        throw new ArithmeticException("a table of " + tables[i].size() + " actors");
      }
      for (int entry = 0; entry < tables[i].size(); entry++) {
        places[next++] = (i << ENTRY_BITS) | entry;
      }
    }
    return places;
  }

  public int size() {
    return order.length;
  }

  private ScoreTable table(int place) {
    return tables[place >>> ENTRY_BITS];
  }

  @Override
  public ScoreCursor open() {
    return new Cursor();
  }

  @Override
  public boolean overflowed() {
    return overflowed;
  }

  /** How many bytes all actors begin with. */
  private static int common(ScoreTable[] tables) {
    byte[] first = null;
    int from = 0;
    int common = 0;
    for (ScoreTable table : tables) {
      for (int i = 0; i < table.size(); i++) {
        int at = table.actorOffset(i);
        if (first == null) {
          first = table.names();
          from = at;
          common = table.actorLength(i);
        }
        int length = Math.min(common, table.actorLength(i));
        int differs = Arrays.mismatch(first, from, from + length, table.names(), at, at + length);
        common = differs < 0 ? length : differs;
      }
    }
    return common;
  }

  /** The next eight bytes, zeros behind the end; turned so that signed order is the right one. */
  private long key(int place) {
    ScoreTable table = table(place);
    int entry = place & ENTRY_MASK;
    byte[] names = table.names();
    int from = table.actorOffset(entry) + common;
    int length = Math.min(Long.BYTES, table.actorLength(entry) - common);
    long key = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      key = (key << 8) | (i < length ? names[from + i] & 0xff : 0);
    }
    return key ^ Long.MIN_VALUE;
  }

  private int compare(long key, int place, int position) {
    if (key != keys[position]) {
      return key < keys[position] ? -1 : 1;
    }
    int other = order[position];
    return place == other ? 0 : compareRest(place, other);
  }

  private int compareRest(int place, int other) {
    ScoreTable a = table(place);
    ScoreTable b = table(other);
    int aFrom = a.actorOffset(place & ENTRY_MASK);
    int bFrom = b.actorOffset(other & ENTRY_MASK);
    return Arrays.compareUnsigned(
        a.names(),
        aFrom + common,
        aFrom + a.actorLength(place & ENTRY_MASK),
        b.names(),
        bFrom + common,
        bFrom + b.actorLength(other & ENTRY_MASK));
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
    private ScoreTable table = tables[0];
    private int entry;

    @Override
    public boolean next() {
      if (++at >= order.length) {
        return false;
      }
      table = table(order[at]);
      entry = order[at] & ENTRY_MASK;
      return true;
    }

    @Override
    public byte[] actorBuffer() {
      return table.names();
    }

    @Override
    public int actorOffset() {
      return table.actorOffset(entry);
    }

    @Override
    public int actorLength() {
      return table.actorLength(entry);
    }

    @Override
    public int badLines() {
      return table.badLines(entry);
    }

    @Override
    public Wide score(int pool) {
      return table.score(entry, pool);
    }

    @Override
    public void close() {
      // memory only
    }
  }
}
