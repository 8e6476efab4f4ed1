package dev.ron.storage.s3.names;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What rows of buckets, settings and current objects say, read once between two changes of them.
 *
 * <p>A row has its slot, and a slot has a time, which is odd while a row of it is changed: a reader
 * that comes then reads the row. What was read counts as long as the time is the one at which the
 * reading began. So a request that begins when the rows have a change, whether that is known by an
 * answer or by a position of the log, finds nothing from before it, and a slow reader leaves
 * nothing old to those after it.
 *
 * <p>Bounded by its slots, where the last row stays, and by the bytes of the rows. Only what there
 * is takes room, and of a bucket that there is, what it has not set: names that a client makes up
 * do not.
 *
 * <p>Threading: thread-safe; changes come from one thread at a time.
 */
final class RowMemory {
  private static final int SLOTS = 4096;

  /**
   * The longest that is read often: a setting of 256 KiB, which takes long to read, with its key.
   */
  private static final int ROW_BYTES_MAX = 260 << 10;

  /** What is read of a row takes some times its bytes. */
  private static final long BYTES_MAX = 4 << 20;

  private final AtomicLongArray times = new AtomicLongArray(SLOTS);
  private final AtomicReferenceArray<@Nullable Kept> slots = new AtomicReferenceArray<>(SLOTS);
  private final AtomicLong bytes = new AtomicLong();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(byte[] key, long time, Optional<?> read, int size) {
    @SuppressWarnings("unchecked") // a row has one reader, so what is kept is what it reads
    private <T> Optional<T> as() {
      return (Optional<T>) read;
    }
  }

  private static int slot(byte[] key) {
    int hash = Arrays.hashCode(key);
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }

  /** Adds the slot of a row that is to be changed, if it is of a kind that is watched. */
  static void mark(BitSet changed, byte[] key) {
    if (RowKeys.isWatched(key)) {
      changed.set(slot(key));
    }
  }

  /** Changes rows in these slots. */
  void change(BitSet changed, Runnable change) {
    changed.stream().forEach(times::incrementAndGet);
    try {
      change.run();
    } finally {
      changed.stream().forEach(times::incrementAndGet);
    }
  }

  /** The rows may be others than before. */
  void forget() {
    var all = new BitSet();
    all.set(0, SLOTS);
    change(all, () -> {});
  }

  /**
   * Rows that are read together, and whether they were all so at one moment.
   *
   * <p>Threading: owned by one request.
   */
  final class Moment implements NameRows {
    private final NameRows rows;
    private int[] read = new int[8];
    private long[] readAt = new long[8];
    private int count;

    Moment(NameRows rows) {
      this.rows = rows;
    }

    /** Whether no row that was read by its key has changed since. */
    boolean isWhole() {
      for (int i = 0; i < count; i++) {
        if (readAt[i] % 2 != 0 || times.get(read[i]) != readAt[i]) {
          return false;
        }
      }
      return true;
    }

    private void note(byte[] key) {
      int slot = slot(key);
      for (int i = 0; i < count; i++) {
        if (read[i] == slot) {
          return;
        }
      }
      if (count == read.length) {
        read = Arrays.copyOf(read, 2 * count);
        readAt = Arrays.copyOf(readAt, 2 * count);
      }
      read[count] = slot;
      readAt[count++] = times.get(slot);
    }

    @Override
    public Optional<byte[]> row(byte[] key) {
      note(key);
      return rows.row(key);
    }

    @Override
    public void scan(byte[] from, byte[] to, Predicate<Row> each) {
      rows.scan(from, to, each);
    }

    @Override
    public <T, X extends Exception> Optional<T> readKept(
        byte[] key, boolean absent, Reader<T, X> reader) throws X {
      note(key);
      return rows.readKept(key, absent, reader);
    }
  }

  /**
   * @param absent whether it is remembered that there is no such row
   * @param reader always the same for a row
   */
  <T, X extends Exception> Optional<T> read(
      NameRows rows, byte[] key, boolean absent, NameRows.Reader<T, X> reader) throws X {
    int slot = slot(key);
    long time = times.get(slot);
    Kept known = kept(slot, time, key);
    if (known != null) {
      return known.as();
    }
    Optional<byte[]> row = rows.row(key);
    Optional<T> read = NameRows.read(row, reader);
    if ((absent || row.isPresent()) && time % 2 == 0) {
      keep(slot, new Kept(key, time, read, key.length + row.map(each -> each.length).orElse(0)));
    }
    return read;
  }

  /** What is remembered of a row; {@link Names.NotInMemory} if it must be read. */
  <T> Optional<T> recall(byte[] key) {
    int slot = slot(key);
    Kept known = kept(slot, times.get(slot), key);
    if (known == null) {
      throw new Names.NotInMemory();
    }
    return known.as();
  }

  private @Nullable Kept kept(int slot, long time, byte[] key) {
    Kept kept = slots.get(slot);
    return kept != null && kept.time == time && Arrays.equals(kept.key, key) ? kept : null;
  }

  private void keep(int slot, Kept kept) {
    Kept before = slots.get(slot);
    int freed = before == null ? 0 : before.size;
    boolean fits = kept.size <= ROW_BYTES_MAX && bytes.get() - freed + kept.size <= BYTES_MAX;
    // One that does not fit makes room for the next.
    if (slots.compareAndSet(slot, before, fits ? kept : null)) {
      bytes.addAndGet((fits ? kept.size : 0) - freed);
    }
  }
}
