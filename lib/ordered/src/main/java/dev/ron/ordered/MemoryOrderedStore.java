package dev.ron.ordered;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Amnesia: a store that is as durable as the process, for tests and for a node that keeps nothing.
 *
 * <p>What was applied counts as durable. Memory is bounded; a batch that would pass the bound seals
 * the store, as a full disk does.
 *
 * <p>Threading: as {@link OrderedStore} says; {@code lock} orders the changes, and readers take the
 * last {@code state}.
 */
public final class MemoryOrderedStore implements OrderedStore {
  private static final Duration REST = Duration.ofSeconds(1);

  private final String name;
  private final int cursorsMax;
  private final long bytesMax;
  private final RandomGenerator chance;
  private final ReentrantLock lock = new ReentrantLock();
  private final Semaphore cursors;
  private volatile State state;
  private volatile boolean closed;

  private record State(RowTree rows, long index, @Nullable OrderedFault refusal) {}

  private MemoryOrderedStore(
      OrderedSettings settings, long bytesMax, RandomGenerator chance, RowFile.Content content) {
    this.name = settings.name();
    this.cursorsMax = settings.cursorsMax();
    this.bytesMax = bytesMax;
    this.chance = chance;
    this.cursors = new Semaphore(cursorsMax);
    this.state = new State(content.rows(), content.index(), null);
  }

  /**
   * An empty store.
   *
   * @param settings of which the name and the cursors are used
   * @param bytesMax of heap for all rows together, about
   * @param chance keeps the rows' tree in balance
   */
  public static MemoryOrderedStore empty(
      OrderedSettings settings, long bytesMax, RandomGenerator chance) {
    return new MemoryOrderedStore(
        settings, bytesMax, chance, new RowFile.Content(RowTree.EMPTY, NOTHING_APPLIED));
  }

  /** A store with the rows of a checkpoint. */
  public static MemoryOrderedStore of(
      Path checkpoint, OrderedSettings settings, long bytesMax, RandomGenerator chance)
      throws IOException {
    return new MemoryOrderedStore(
        settings, bytesMax, chance, RowFile.read(checkpoint, settings.name(), chance));
  }

  @Override
  public Optional<byte[]> row(byte[] key) {
    checkOpen();
    var found = state.rows.atOrAfter(RowBatch.checked(key));
    return found != null && Arrays.equals(found.key(), key)
        ? Optional.of(found.value().clone())
        : Optional.empty();
  }

  @Override
  public RowCursor scan(KeyRange range) throws IOException {
    checkOpen();
    if (!cursors.tryAcquire()) {
      throw new OrderedException(new OrderedFault.Busy(name, cursorsMax, REST));
    }
    return new MemoryCursor(state.rows, range, () -> !closed, cursors::release);
  }

  @Override
  public void apply(RowBatch batch, long index) throws IOException {
    lock.lock();
    try {
      State now = writable();
      if (index <= now.index) {
        throw new IllegalArgumentException("index " + index + " after " + now.index);
      }
      var change = new TreeChange(now.rows, chance);
      batch.into(change);
      if (change.rows.bytes() > bytesMax) {
        var full = new OrderedFault.Full(name, "rows may take " + bytesMax + " bytes of memory");
        state = new State(now.rows, now.index, new OrderedFault.Sealed(name, full.detail()));
        throw new OrderedException(full);
      }
      state = new State(change.rows, index, null);
    } finally {
      lock.unlock();
    }
  }

  /** Threading: owned by the call of apply that made it. */
  private static final class TreeChange implements RowBatch.Target<RuntimeException> {
    private final RandomGenerator chance;
    private RowTree rows;

    private TreeChange(RowTree rows, RandomGenerator chance) {
      this.rows = rows;
      this.chance = chance;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      rows = rows.put(key.clone(), value.clone(), chance);
    }

    @Override
    public void delete(byte[] key) {
      rows = rows.without(key, Arrays.copyOf(key, key.length + 1));
    }

    @Override
    public void deleteRange(byte[] from, byte[] to) {
      rows = rows.without(from, to);
    }
  }

  @Override
  public long appliedIndex() {
    return state.index;
  }

  @Override
  public long flush() throws IOException {
    return writable().index;
  }

  @Override
  public long durableIndex() {
    return state.index;
  }

  @Override
  public long checkpoint(Path folder) throws IOException {
    State now = writable();
    RowFile.write(folder, now.rows, now.index);
    return now.index;
  }

  @Override
  public OrderedUsage usage() {
    checkOpen();
    RowTree rows = state.rows;
    return new OrderedUsage(
        rows.rows(), 0, rows.bytes(), 0, 0, false, cursorsMax - cursors.availablePermits());
  }

  @Override
  public Optional<OrderedFault> refusal() {
    return Optional.ofNullable(state.refusal);
  }

  @Override
  public void close() {
    closed = true;
  }

  private State writable() throws OrderedException {
    checkOpen();
    State now = state;
    if (now.refusal != null) {
      throw new OrderedException(now.refusal);
    }
    return now;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(name + " is closed");
    }
  }
}
