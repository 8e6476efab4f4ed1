package dev.ron.kernel.stream;

import java.io.IOException;
import java.io.InputStream;

/**
 * An input stream of what comes in blocks; one byte is a block of one.
 *
 * <p>Threading: owned by the thread that reads.
 */
public abstract class BlockStream extends InputStream {
  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] into, int offset, int length) throws IOException {
    return length == 0 ? 0 : block(into, offset, length);
  }

  /**
   * Waits for some bytes.
   *
   * @param length at least one
   * @return how many there are, at least one; -1 at the end
   */
  protected abstract int block(byte[] into, int offset, int length) throws IOException;
}
