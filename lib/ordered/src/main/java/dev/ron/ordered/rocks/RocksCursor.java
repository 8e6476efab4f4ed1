package dev.ron.ordered.rocks;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.RowCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * A native iterator within two bounds. The upper one also ends a seek: without it RocksDB would
 * step over every deleted neighbour behind the range to find a row that is not asked for.
 *
 * <p>Threading: one thread at a time; the store may release it from another, under {@link
 * NativeCalls}.
 */
final class RocksCursor implements RowCursor {
  private final String store;
  private final NativeCalls calls;
  private final KeyRange range;
  private final Consumer<RocksCursor> atClose;
  private final Slice lower;
  private final Slice upper;
  private final ReadOptions reads;
  private final RocksIterator iterator;
  private byte @Nullable [] key;
  private boolean begun;
  private boolean released;

  /** To be called inside {@code calls}. */
  RocksCursor(
      String store, RocksDB db, NativeCalls calls, KeyRange range, Consumer<RocksCursor> atClose) {
    this.store = store;
    this.calls = calls;
    this.range = range;
    this.atClose = atClose;
    lower = new Slice(range.from());
    upper = new Slice(range.to());
    reads = new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper);
    iterator = db.newIterator(reads);
  }

  private interface Move {
    void run(RocksIterator iterator);
  }

  private boolean move(Move move) throws IOException {
    long stamp = enter();
    try {
      move.run(iterator);
      begun = true;
      if (iterator.isValid()) {
        key = iterator.key();
        return true;
      }
      key = null;
      iterator.status();
      return false;
    } catch (RocksDBException e) {
      throw RocksFaults.exception(store, e);
    } finally {
      calls.leave(stamp);
    }
  }

  private long enter() {
    long stamp = calls.enter();
    if (released) {
      calls.leave(stamp);
      throw new IllegalStateException("the cursor is closed");
    }
    return stamp;
  }

  @Override
  public boolean next() throws IOException {
    if (!begun) {
      return seek(range.from());
    }
    if (key == null) {
      // RocksDB must not be asked to go on from no row.
      calls.leave(enter());
      return false;
    }
    return move(RocksIterator::next);
  }

  @Override
  public boolean seek(byte[] at) throws IOException {
    if (range.isEmpty()) {
      return move(RocksIterator::seekToFirst) && nothing();
    }
    boolean before = Arrays.compareUnsigned(at, range.from()) < 0;
    return move(rows -> rows.seek(before ? range.from() : at));
  }

  @Override
  public boolean seekPast(byte[] prefix) throws IOException {
    return seek(KeyRange.past(prefix));
  }

  @Override
  public boolean seekBefore(byte[] behind) throws IOException {
    if (range.isEmpty()) {
      return seek(behind);
    }
    if (Arrays.compareUnsigned(behind, range.to()) >= 0) {
      return move(RocksIterator::seekToLast);
    }
    return move(
        rows -> {
          rows.seekForPrev(behind);
          if (rows.isValid() && Arrays.equals(rows.key(), behind)) {
            rows.prev();
          }
        });
  }

  private boolean nothing() {
    key = null;
    return false;
  }

  @Override
  public byte[] key() {
    calls.leave(enter());
    return row();
  }

  @Override
  public byte[] value() {
    long stamp = enter();
    try {
      row();
      return iterator.value();
    } finally {
      calls.leave(stamp);
    }
  }

  private byte[] row() {
    if (key == null) {
      throw new IllegalStateException("the cursor is on no row");
    }
    return key;
  }

  @Override
  public void close() {
    long stamp = calls.tryEnter();
    if (stamp == 0) {
      return; // the store is closed, or about to, and releases it
    }
    try {
      if (!released) {
        release();
        atClose.accept(this);
      }
    } finally {
      calls.leave(stamp);
    }
  }

  /** Frees what is native; by the cursor inside {@code calls}, or by the store after their end. */
  void release() {
    released = true;
    iterator.close();
    reads.close();
    upper.close();
    lower.close();
  }
}
