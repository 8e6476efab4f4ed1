package dev.ron.ordered;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Rows in the order of their keys, changed by batches that each carry the index of the log entry
 * they come from.
 *
 * <p>It has no log of its own: the caller's journal or Raft log is the log. A batch and its index
 * become visible together and survive together, so after any crash the store holds exactly the rows
 * of all batches up to {@link #appliedIndex}, and the caller replays its log behind that.
 *
 * <p>Keys are 1 to {@value #KEY_BYTES_MAX} bytes, compared as unsigned bytes, a prefix before what
 * it begins. Values are up to {@value #VALUE_BYTES_MAX} bytes.
 *
 * <p>After {@link #close} every other call throws {@link IllegalStateException}, except the two
 * indexes, {@link #refusal}, and the close of a cursor.
 *
 * <p>Threading: thread-safe. Reads never wait for writes. Batches are applied one at a time.
 */
public interface OrderedStore extends AutoCloseable {
  /** Opens the rows in a folder. */
  @FunctionalInterface
  interface Opener {
    OrderedStore open(Path folder, OrderedSettings settings) throws IOException;
  }

  int KEY_BYTES_MAX = 4 << 10;
  int VALUE_BYTES_MAX = 1 << 20;

  /** The index of a store to which nothing was applied yet. */
  long NOTHING_APPLIED = -1;

  /** The value of one row, a copy. */
  Optional<byte[]> row(byte[] key) throws IOException;

  /**
   * Opens a cursor before the first row of the range. It sees the rows as they are now, whatever is
   * applied later.
   *
   * @throws OrderedException with {@link OrderedFault.Busy} when too many are open
   */
  RowCursor scan(KeyRange range) throws IOException;

  /**
   * Makes all changes of the batch visible at once, in the order they were added.
   *
   * <p>A failure seals the store: this and every later apply, flush and checkpoint is refused with
   * {@link OrderedFault.Sealed}, and reads go on. Only an open after the cause is gone tells what
   * is there.
   *
   * @param index of the log entry; above {@link #appliedIndex}, gaps are allowed
   */
  void apply(RowBatch batch, long index) throws IOException;

  /** The index of the last batch applied, or {@link #NOTHING_APPLIED}. */
  long appliedIndex();

  /**
   * Makes durable what was applied before the call.
   *
   * @return an index, at least {@link #appliedIndex} at the time of the call; the log is not needed
   *     up to there
   */
  long flush() throws IOException;

  /** What the last flush answered. More may be durable than this says, never less. */
  long durableIndex();

  /**
   * Leaves a copy of all rows in a folder that does not exist yet, which opens as a store. Batches
   * may be applied meanwhile; the copy has each of them whole or not at all.
   *
   * @return the copy's applied index, at least {@link #appliedIndex} at the time of the call
   */
  long checkpoint(Path folder) throws IOException;

  /** How large it is and how far behind; estimates. */
  OrderedUsage usage() throws IOException;

  /** Why it refuses changes, if it does. */
  Optional<OrderedFault> refusal();

  /** Flushes, ends the open cursors and lets go of the folder, also when the flush fails. */
  @Override
  void close() throws IOException;
}
