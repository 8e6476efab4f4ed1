package dev.ron.content.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.content.AddressKey;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The entries whose addresses begin with the same bits, as rows of one array of longs.
 *
 * <p>Open addressing with linear probing; a removal shifts the rows behind it back, so that there
 * are no markers of removed rows and a table never wears out. It grows by a quarter at four fifths,
 * so that 64 to 80 of 100 rows are used: 90 to 113 bytes an entry.
 *
 * <p>Threading: thread-safe; {@code lock} guards {@code rows} and {@code used}, and is held for a
 * few probes, or for one pass over the shard.
 */
public final class IndexShard {
  /** Longs in a row: the address, the segment with copies and flags, and four numbers. */
  public static final int COLUMNS = 9;

  private static final int PLACE = 4;
  private static final int ROWS_MIN = 8;

  /** Set in every row that is used, so that an array of zeros is an empty table. */
  private static final int USED = 1 << 15;

  private final long mix;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private long[] rows = new long[0];

  @GuardedBy("lock") private int used;

  /**
   * @param mix odd and unknown outside, so that no caller can choose addresses that probe alike
   */
  IndexShard(long mix) {
    this.mix = mix;
  }

  @Nullable IndexEntry find(AddressKey key) {
    lock.lock();
    try {
      int row = used == 0 ? -1 : row(key);
      return row < 0 ? null : read(row);
    } finally {
      lock.unlock();
    }
  }

  /** Replaces an entry in one step; null is no entry, before and after. */
  @Nullable IndexEntry update(AddressKey key, UnaryOperator<@Nullable IndexEntry> change) {
    lock.lock();
    try {
      int row = used == 0 ? -1 : row(key);
      IndexEntry before = row < 0 ? null : read(row);
      IndexEntry after = change.apply(before);
      if (after != null && row < 0) {
        row = insert(key);
      }
      if (after != null) {
        write(row, after);
      } else if (row >= 0) {
        remove(row);
      }
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** Adds the visible entries after the key to a heap that keeps the {@code max} smallest. */
  void smallest(@Nullable AddressKey after, int max, PriorityQueue<IndexEntry> largestFirst) {
    lock.lock();
    try {
      for (int row = 0; row < rows.length; row += COLUMNS) {
        if (rows[row + PLACE] == 0) {
          continue;
        }
        IndexEntry entry = read(row);
        if (entry.visible() && (after == null || entry.key().compareTo(after) > 0)) {
          largestFirst.add(entry);
          if (largestFirst.size() > max) {
            largestFirst.remove();
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** A copy of the rows that are used, back to back. */
  long[] copy() {
    lock.lock();
    try {
      long[] copy = new long[used * COLUMNS];
      int at = 0;
      for (int row = 0; row < rows.length; row += COLUMNS) {
        if (rows[row + PLACE] != 0) {
          System.arraycopy(rows, row, copy, at, COLUMNS);
          at += COLUMNS;
        }
      }
      return copy;
    } finally {
      lock.unlock();
    }
  }

  /** Fills an empty shard with rows as {@link #copy} gave them out; what is transient goes. */
  void load(long[] from) {
    lock.lock();
    try {
      int count = from.length / COLUMNS;
      rows = new long[0];
      resize((int) Math.ceilDiv(count * 5L, 4) + 1);
      used = count;
      for (int at = 0; at < from.length; at += COLUMNS) {
        int row = home(from[at + 1], from[at + 2]);
        while (rows[row + PLACE] != 0) {
          row = after(row);
        }
        System.arraycopy(from, at, rows, row, COLUMNS);
        rows[row + PLACE] &= ~(long) IndexEntry.TRANSIENT;
      }
    } finally {
      lock.unlock();
    }
  }

  public static boolean isVisible(long[] from, int at) {
    return (from[at + PLACE] & IndexEntry.DELETED) == 0;
  }

  public static long length(long[] from, int at) {
    return from[at + 6];
  }

  public static int segment(long[] from, int at) {
    return (int) (from[at + PLACE] >>> 32);
  }

  /** An entry as {@link #copy} gave it out. */
  public static IndexEntry decode(long[] from, int at) {
    int place = (int) from[at + PLACE];
    return new IndexEntry(
        new AddressKey(from[at], from[at + 1], from[at + 2], from[at + 3]),
        (int) (from[at + PLACE] >>> 32),
        from[at + 5],
        from[at + 6],
        from[at + 7],
        from[at + 8],
        place >>> 16,
        place & (USED - 1));
  }

  @GuardedBy("lock") private IndexEntry read(int row) {
    return decode(rows, row);
  }

  @GuardedBy("lock") private void write(int row, IndexEntry entry) {
    AddressKey key = entry.key();
    rows[row] = key.a();
    rows[row + 1] = key.b();
    rows[row + 2] = key.c();
    rows[row + 3] = key.d();
    // A count that does not fit stays at its top: the object then remains known as deleted for
    // longer than needed, which does no harm.
    long copies = Math.min(entry.copies(), 0xffff);
    rows[row + PLACE] = (long) entry.segment() << 32 | copies << 16 | USED | entry.flags();
    rows[row + 5] = entry.offset();
    rows[row + 6] = entry.length();
    rows[row + 7] = entry.sequence();
    rows[row + 8] = entry.moment();
  }

  /** The row of the key, or -1 less the free row where it belongs; there is always a free one. */
  @GuardedBy("lock") private int row(AddressKey key) {
    int row = home(key.b(), key.c());
    while (rows[row + PLACE] != 0) {
      if (rows[row] == key.a()
          && rows[row + 1] == key.b()
          && rows[row + 2] == key.c()
          && rows[row + 3] == key.d()) {
        return row;
      }
      row = after(row);
    }
    return -1 - row;
  }

  /** Where probing for an address begins: its bits, mixed, scaled to the number of rows. */
  @GuardedBy("lock") private int home(long b, long c) {
    long mixed = (b ^ Long.rotateLeft(c, 32)) * mix;
    return (int) Math.unsignedMultiplyHigh(mixed, rows.length / COLUMNS) * COLUMNS;
  }

  @GuardedBy("lock") private int after(int row) {
    int next = row + COLUMNS;
    return next == rows.length ? 0 : next;
  }

  @GuardedBy("lock") private int insert(AddressKey key) {
    int capacity = rows.length / COLUMNS;
    if (used + 1 > capacity - Math.ceilDiv(capacity, 5)) {
      resize(Math.max(ROWS_MIN, capacity + capacity / 4 + 1));
    }
    used++;
    return -1 - row(key);
  }

  @GuardedBy("lock") private void resize(int capacity) {
    if (capacity * COLUMNS <= rows.length) {
      return;
    }
    long[] old = rows;
    rows = new long[Math.multiplyExact(capacity, COLUMNS)];
    for (int from = 0; from < old.length; from += COLUMNS) {
      if (old[from + PLACE] != 0) {
        AddressKey key = new AddressKey(old[from], old[from + 1], old[from + 2], old[from + 3]);
        System.arraycopy(old, from, rows, -1 - row(key), COLUMNS);
      }
    }
  }

  /** Moves every row that could no longer be reached from its home back into the gap. */
  @GuardedBy("lock") private void remove(int row) {
    used--;
    int gap = row;
    for (int next = after(gap); rows[next + PLACE] != 0; next = after(next)) {
      int home = home(rows[next + 1], rows[next + 2]);
      boolean reachable = gap <= next ? gap < home && home <= next : gap < home || home <= next;
      if (!reachable) {
        System.arraycopy(rows, next, rows, gap, COLUMNS);
        gap = next;
      }
    }
    Arrays.fill(rows, gap, gap + COLUMNS, 0);
  }
}
