package dev.ron.kernel.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file, read and written at positions.
 *
 * <p>Threading: thread-safe; writes to one range must come from one thread at a time.
 */
public interface DiskFile extends Closeable {
  /**
   * Reads until the buffer is full or the file ends.
   *
   * @return the bytes read, 0 at or past the end
   */
  int read(ByteBuffer into, long position) throws IOException;

  /** Writes the whole buffer or throws; after a throw any part of it may have been written. */
  void write(ByteBuffer from, long position) throws IOException;

  /** Returns when everything written before is on the disk, the file's length included. */
  void flush() throws IOException;

  long size() throws IOException;

  void truncate(long size) throws IOException;
}
