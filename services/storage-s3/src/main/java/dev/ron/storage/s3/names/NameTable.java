package dev.ron.storage.s3.names;

import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.time.Time;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.core.ObjectVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable StoredVersions versions;
  private final Map<String, Long> bytes = new HashMap<>();
  private final Map<ByteBuffer, Optional<byte[]>> pending = new HashMap<>();
  private RowBatch batch = new RowBatch();
  private long decided;

  /** What the memory has to forget with the batch. */
  private final BitSet changed = new BitSet();

  NameTable(OrderedStore store, RowMemory memory) {
    this(store, memory, null);
  }

  /**
   * @param versions told of the bytes that a batch changes; null if they are not counted here
   */
  NameTable(OrderedStore store, RowMemory memory, @Nullable StoredVersions versions) {
    this.versions = versions;
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
      if (versions != null && StoredVersions.isVersion(change.key())) {
        StoredVersions.add(row(change.key()), value, bytes);
      }
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
      if (versions != null) {
        versions.tell(bytes);
      }
    }
    bytes.clear();
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

  /**
   * The bytes of all versions, by their owners: what the rows say at the start, and from there what
   * each batch of them changes. Whatever command changes a row, it is seen here.
   *
   * <p>Threading: changed by the task that applies the log; a batch is told once it is in the rows.
   */
  static final class StoredVersions {
    private final ByteSeconds kept;
    private final Time time;

    StoredVersions(ByteSeconds kept, Time time) {
      this.kept = kept;
      this.time = time;
    }

    /**
     * What the rows hold before the first change: by the sums that are kept among them, less the
     * open uploads that those have too. A start would else read every object there is. Rows that
     * have no sums yet are added up; the first change of them makes the sums.
     */
    void load(OrderedStore store) throws IOException {
      boolean summed = store.row(RowKeys.storedCounted()).isPresent();
      tell(summed ? sums(store) : addedUp(store));
    }

    private static Map<String, Long> sums(OrderedStore store) throws IOException {
      var sums = new HashMap<String, Long>();
      try (RowCursor cursor = store.scan(KeyRange.withPrefix(RowKeys.storedCounted()))) {
        while (cursor.next()) {
          Optional<String> owner = RowKeys.ownerOfStored(cursor.key());
          if (owner.isPresent()) {
            sums.put(owner.get(), ByteBuffer.wrap(cursor.value()).getLong());
          }
        }
      }
      try (RowCursor cursor = store.scan(KeyRange.withPrefix(RowKeys.allUploads()))) {
        while (cursor.next()) {
          Optional<byte[]> open = store.row(RowKeys.storedOpen(RowKeys.uploadOf(cursor.key())));
          if (open.isPresent()) {
            long bytes = ByteBuffer.wrap(open.get()).getLong();
            sums.merge(RowCodec.upload(cursor.value()).owner(), -bytes, Long::sum);
          }
        }
      }
      return sums;
    }

    private static Map<String, Long> addedUp(OrderedStore store) throws IOException {
      var sums = new HashMap<String, Long>();
      for (byte table : new byte[] {RowKeys.OBJECT, RowKeys.VERSION}) {
        byte[] from = {table};
        byte[] to = {(byte) (table + 1)};
        try (RowCursor cursor = store.scan(KeyRange.of(from, to))) {
          while (cursor.next()) {
            add(cursor.value(), 1, sums);
          }
        }
      }
      return sums;
    }

    /** The batch is in the rows. A sum that was too small is no reason to take no more changes. */
    void tell(Map<String, Long> changes) {
      Instant now = time.now();
      changes.forEach(
          (owner, bytes) -> kept.change(owner, Math.max(bytes, -kept.bytes(owner)), now));
    }

    /** What a changed row makes of the bytes of its owners. */
    static void add(Optional<byte[]> before, byte @Nullable [] after, Map<String, Long> changes) {
      before.ifPresent(row -> add(row, -1, changes));
      if (after != null) {
        add(after, 1, changes);
      }
    }

    static boolean isVersion(byte[] key) {
      return key[0] == RowKeys.OBJECT || key[0] == RowKeys.VERSION;
    }

    private static void add(byte[] row, int sign, Map<String, Long> changes) {
      ObjectVersion version = RowCodec.version(row);
      if (version.sizeBytes() > 0) {
        changes.merge(version.owner(), sign * version.sizeBytes(), Long::sum);
      }
    }
  }
}
