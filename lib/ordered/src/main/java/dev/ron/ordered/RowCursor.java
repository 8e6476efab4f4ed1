package dev.ron.ordered;

import java.io.IOException;

/**
 * A place among the rows of a range, as they were when the cursor was opened.
 *
 * <p>It stands before the first row at birth. A move answers whether it came to rest on a row; when
 * it did not, there is no row to read, {@link #next} stays there, and a seek may still find one.
 *
 * <p>An open cursor keeps old files and rows alive: close it soon.
 *
 * <p>Threading: one thread at a time.
 */
public interface RowCursor extends AutoCloseable {
  /** To the row after this one. */
  boolean next() throws IOException;

  /** To the first row of the range at the key or behind it; forwards or backwards. */
  boolean seek(byte[] key) throws IOException;

  /** To the first row of the range behind all whose keys begin with the prefix. */
  boolean seekPast(byte[] prefix) throws IOException;

  /** To the last row of the range before the key. */
  boolean seekBefore(byte[] key) throws IOException;

  /** The key of this row; not to be changed. */
  byte[] key();

  /** The value of this row, a copy. */
  byte[] value();

  @Override
  void close();
}
