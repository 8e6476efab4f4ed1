package dev.ron.storage.s3.block;

import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A buffer as a stream.
 *
 * <p>Threading: owned by one thread.
 */
final class BufferStream extends InputStream {
  private final ByteBuffer bytes;

  BufferStream(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  @Override
  public int read() {
    return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (!bytes.hasRemaining()) {
      return length == 0 ? 0 : -1;
    }
    int count = Math.min(length, bytes.remaining());
    bytes.get(into, offset, count);
    return count;
  }
}
