package dev.ron.storage.s3.names;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rows with what was decided since the last batch, which only the next decision sees.
 *
 * <p>Many commands go into the store as one batch. A scan brings the batch into the store first, so
 * it need not be merged with it; a decision scans before it changes anything.
 *
 * <p>Threading: owned by the thread that decides.
 */
final class NameTable implements NameRows {
  /** A batch is brought into the store before it grows past this many changes. */
  private static final int CHANGES_MAX = 8192;

  private final OrderedStore store;
  private final RowMemory memory;
  private final Map<ByteBuffer, Optional<byte[]>> pending = new HashMap<>();
  private RowBatch batch = new RowBatch();
  private long decided;

  /** What the memory has to forget with the batch. */
  private final BitSet changed = new BitSet();

  NameTable(OrderedStore store, RowMemory memory) {
    this.store = store;
    this.memory = memory;
    this.decided = store.appliedIndex();
  }

  @Override
  public Optional<byte[]> row(byte[] key) {
    Optional<byte[]> changed = pending.get(ByteBuffer.wrap(key));
    return changed == null ? stored(store, key) : changed;
  }

  @Override
  public void scan(byte[] from, byte[] to, Predicate<Row> each) {
    bringIn();
    scanned(store, from, to, each);
  }

  static Optional<byte[]> stored(OrderedStore store, byte[] key) {
    try {
      return store.row(key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void scanned(OrderedStore store, byte[] from, byte[] to, Predicate<Row> each) {
    try (RowCursor cursor = store.scan(KeyRange.of(from, to))) {
      while (cursor.next()) {
        if (!each.test(new Row(cursor.key(), cursor.value()))) {
          return;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The position of the last command that was decided, or -1. */
  long decided() {
    return decided;
  }

  /** Takes a whole decision. */
  void take(NameDecision decision, long index) {
    if (batch.size() > CHANGES_MAX) {
      bringIn();
    }
    for (NameDecision.Change change : decision.changes()) {
      byte[] value = change.value();
      if (value == null) {
        batch.delete(change.key());
      } else {
        batch.put(change.key(), value);
      }
      pending.put(ByteBuffer.wrap(change.key()), Optional.ofNullable(value));
      RowMemory.mark(changed, change.key());
    }
    decided = index;
  }

  /** Makes everything decided visible to all. */
  void bringIn() {
    if (decided > store.appliedIndex()) {
      memory.change(changed, this::apply);
    }
    batch = new RowBatch();
    pending.clear();
    changed.clear();
  }

  private void apply() {
    try {
      store.apply(batch, decided);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
