package dev.ron.ordered.rocks;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedException;
import dev.ron.ordered.OrderedFault;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.OrderedUsage;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The ordered store on the disk, in RocksDB without a log of its own; see docs/adr/0044.
 *
 * <p>A batch goes into one memtable whole, with the row of its index. Memtables become files in
 * their order, each at once. So what the files hold is always a prefix of the batches, and says
 * which.
 *
 * <p>A native call holds its carrier: a virtual thread that reads here keeps a platform thread for
 * the length of the read.
 *
 * <p>Threading: as {@link OrderedStore} says. {@code writer} orders the batches; every native call
 * is inside {@code calls}.
 */
public final class RocksOrderedStore implements OrderedStore {
  private static final Duration REST = Duration.ofSeconds(1);

  /**
   * After so many deletes a file is begun, in the background. A seek steps over the deleted rows
   * one by one until their file is merged, and only what is in a file is merged.
   */
  private static final int DELETES_IN_MEMORY_MAX = 32 << 10;

  /** How long a batch waits before it is tried again while the disk is behind. */
  private static final long STALL_NANOS = 1_000_000;

  /** About a minute: merging frees room every few seconds, or it fails again and again. */
  private static final int TRIES_MAX = 60_000;

  private static final String BACKGROUND_ERRORS = "background-errors";

  private final OrderedSettings settings;
  private final RocksOptions options;
  private final RocksDB db;
  private final NativeCalls calls;
  private final Semaphore cursorsFree;
  private final Set<RocksCursor> cursors = ConcurrentHashMap.newKeySet();
  private final ReentrantLock writer = new ReentrantLock();
  private final Condition stall = writer.newCondition();
  private final AtomicLong durable;
  private final AtomicReference<Optional<OrderedFault>> refusal =
      new AtomicReference<>(Optional.empty());
  private volatile long applied;

  /** Background errors that a later flush has made good. */
  private volatile long errorsPast;

  private int deletesInMemory;
  private boolean closed;

  private RocksOrderedStore(
      OrderedSettings settings, RocksOptions options, RocksDB db, long applied) {
    this.settings = settings;
    this.options = options;
    this.db = db;
    this.calls = new NativeCalls(settings.name());
    this.cursorsFree = new Semaphore(settings.cursorsMax());
    this.applied = applied;
    // What open found lies in files that were synced before they were named.
    this.durable = new AtomicLong(applied);
  }

  /**
   * Opens the store in a folder of its own, or makes it.
   *
   * @throws OrderedException with what is wrong; among it that another process has it open
   */
  public static RocksOrderedStore open(Path folder, OrderedSettings settings) throws IOException {
    Files.createDirectories(folder);
    RocksLibrary.load(folder);
    var options = new RocksOptions(settings);
    RocksDB db = null;
    boolean opened = false;
    try {
      db = RocksDB.open(options.options(), folder.toString());
      var store = new RocksOrderedStore(settings, options, db, index(settings, db));
      opened = true;
      return store;
    } catch (RocksDBException e) {
      throw RocksFaults.exception(settings.name(), e);
    } finally {
      if (!opened) {
        if (db != null) {
          db.close();
        }
        options.close();
      }
    }
  }

  private static long index(OrderedSettings settings, RocksDB db)
      throws RocksDBException, OrderedException {
    try {
      return AppliedRow.index(db.get(AppliedRow.KEY), NOTHING_APPLIED);
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      throw new OrderedException(new OrderedFault.CorruptRows(settings.name(), why), e);
    }
  }

  @Override
  public Optional<byte[]> row(byte[] key) throws IOException {
    RowBatch.checked(key);
    long stamp = calls.enter();
    try {
      return Optional.ofNullable(db.get(options.reads(), key));
    } catch (RocksDBException e) {
      throw RocksFaults.exception(settings.name(), e);
    } finally {
      calls.leave(stamp);
    }
  }

  @Override
  public RowCursor scan(KeyRange range) throws IOException {
    long stamp = calls.enter();
    try {
      if (!cursorsFree.tryAcquire()) {
        throw new OrderedException(
            new OrderedFault.Busy(settings.name(), settings.cursorsMax(), REST));
      }
      var cursor = new RocksCursor(settings.name(), db, calls, range, this::forget);
      cursors.add(cursor);
      return cursor;
    } finally {
      calls.leave(stamp);
    }
  }

  private void forget(RocksCursor cursor) {
    cursors.remove(cursor);
    cursorsFree.release();
  }

  @Override
  public void apply(RowBatch batch, long index) throws IOException {
    writer.lock();
    try {
      for (int tries = 1; !tryApply(batch, index); tries++) {
        if (tries == TRIES_MAX) {
          var late = new OrderedFault.Failed(settings.name(), "the disk did not catch up in time");
          throw seal(late, null);
        }
        stall.awaitNanos(STALL_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("a batch waited for the disk, and was not applied");
    } finally {
      writer.unlock();
    }
  }

  /** Whether there was room; if not, the disk has to catch up first. */
  private boolean tryApply(RowBatch batch, long index) throws OrderedException {
    long stamp = enterToWrite();
    try (var changes = new WriteBatch()) {
      if (index <= applied) {
        throw new IllegalArgumentException("index " + index + " after " + applied);
      }
      batch.into(new BatchTarget(changes));
      changes.put(AppliedRow.KEY, AppliedRow.value(index));
      db.write(options.writes(), changes);
      applied = index;
      countDeletes(batch.deletes());
      return true;
    } catch (RocksDBException e) {
      if (!RocksFaults.isStall(e)) {
        throw seal(RocksFaults.fault(settings.name(), e), e);
      }
      checkBackground();
      return false;
    } finally {
      calls.leave(stamp);
    }
  }

  /**
   * Without a log RocksDB takes a failed write of rows for a passing one, and would let batches
   * wait for ever. So the store waits itself; when something failed behind the wait, a flush either
   * makes it good or says what it was.
   */
  private void checkBackground() throws OrderedException {
    try {
      if (figure(BACKGROUND_ERRORS) > errorsPast) {
        flushInside();
      }
    } catch (RocksDBException e) {
      throw seal(RocksFaults.fault(settings.name(), e), e);
    }
  }

  private void countDeletes(int deletes) throws RocksDBException {
    deletesInMemory += deletes;
    if (deletesInMemory >= DELETES_IN_MEMORY_MAX) {
      deletesInMemory = 0;
      db.flush(options.flushesLater());
    }
  }

  private record BatchTarget(WriteBatch changes) implements RowBatch.Target<RocksDBException> {
    @Override
    public void put(byte[] key, byte[] value) throws RocksDBException {
      changes.put(key, value);
    }

    @Override
    public void delete(byte[] key) throws RocksDBException {
      changes.delete(key);
    }

    @Override
    public void deleteRange(byte[] from, byte[] to) throws RocksDBException {
      changes.deleteRange(from, to);
    }
  }

  @Override
  public long appliedIndex() {
    return applied;
  }

  @Override
  public long flush() throws IOException {
    long stamp = enterToWrite();
    try {
      return flushInside();
    } finally {
      calls.leave(stamp);
    }
  }

  private long flushInside() throws OrderedException {
    long index = applied;
    try {
      db.flush(options.flushes());
      errorsPast = figure(BACKGROUND_ERRORS);
    } catch (RocksDBException e) {
      throw seal(RocksFaults.fault(settings.name(), e), e);
    }
    durable.accumulateAndGet(index, Math::max);
    return index;
  }

  @Override
  public long durableIndex() {
    return durable.get();
  }

  @Override
  public long checkpoint(Path folder) throws IOException {
    if (Files.exists(folder)) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    long stamp = enterToWrite();
    try (var checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(folder.toString());
      // Batches went on meanwhile, so only the copy knows which it has.
      try (var copy = RocksDB.openReadOnly(options.options(), folder.toString())) {
        return index(settings, copy);
      }
    } catch (RocksDBException e) {
      throw RocksFaults.exception(settings.name(), e);
    } finally {
      calls.leave(stamp);
    }
  }

  @Override
  public OrderedUsage usage() throws IOException {
    long stamp = calls.enter();
    try {
      return new OrderedUsage(
          figure("estimate-num-keys"),
          figure("live-sst-files-size"),
          figure("cur-size-all-mem-tables"),
          figure("block-cache-usage"),
          figure("estimate-pending-compaction-bytes"),
          figure("is-write-stopped") != 0 || figure("actual-delayed-write-rate") != 0,
          cursors.size());
    } catch (RocksDBException e) {
      throw RocksFaults.exception(settings.name(), e);
    } finally {
      calls.leave(stamp);
    }
  }

  private long figure(String property) throws RocksDBException {
    return db.getLongProperty("rocksdb." + property);
  }

  @Override
  public Optional<OrderedFault> refusal() {
    return refusal.get();
  }

  private long enterToWrite() throws OrderedException {
    long stamp = calls.enter();
    Optional<OrderedFault> why = refusal.get();
    if (why.isPresent()) {
      calls.leave(stamp);
      throw new OrderedException(why.get());
    }
    return stamp;
  }

  private OrderedException seal(OrderedFault cause, @Nullable RocksDBException said) {
    refusal.compareAndSet(
        Optional.empty(), Optional.of(new OrderedFault.Sealed(settings.name(), cause.detail())));
    return new OrderedException(cause, said);
  }

  @Override
  public void close() throws IOException {
    // Under the lock, so that no batch comes between the flush and the end.
    writer.lock();
    try {
      if (!closed) {
        closed = true;
        flushAndRelease();
      }
    } finally {
      writer.unlock();
    }
  }

  private void flushAndRelease() throws OrderedException {
    try {
      if (refusal.get().isEmpty()) {
        flushInside();
      }
    } finally {
      calls.end();
      cursors.forEach(RocksCursor::release);
      cursors.clear();
      db.close();
      options.close();
    }
  }
}
