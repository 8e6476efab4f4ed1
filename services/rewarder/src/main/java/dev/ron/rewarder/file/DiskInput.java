package dev.ron.rewarder.file;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.Wide;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a part of a file from one end to the other, in large pieces.
 *
 * <p>The file belongs to the caller, so that several can read it at a time.
 *
 * <p>Threading: owned by the thread that made it.
 */
public final class DiskInput {
  private final DiskFile file;
  private final ByteBuffer buffer;
  private long next;
  private final long end;

  public DiskInput(DiskFile file, long from, long to, int bufferBytes) {
    this.file = file;
    this.next = from;
    this.end = to;
    this.buffer = ByteBuffer.allocate(bufferBytes).limit(0);
  }

  public boolean hasMore() {
    return buffer.hasRemaining() || next < end;
  }

  public int octet() throws IOException {
    return have(1).get() & 0xff;
  }

  public int shortNumber() throws IOException {
    return have(Short.BYTES).getShort() & 0xffff;
  }

  public long longNumber() throws IOException {
    return have(Long.BYTES).getLong();
  }

  public Wide wide() throws IOException {
    ByteBuffer ready = have(Wide.BYTES);
    return new Wide(ready.getLong(), ready.getLong());
  }

  public void get(byte[] into, int length) throws IOException {
    have(length).get(into, 0, length);
  }

  private ByteBuffer have(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      buffer.compact();
      long left = Math.min(buffer.remaining(), end - next);
      buffer.limit(buffer.position() + (int) left);
      next += file.read(buffer, next);
      buffer.flip();
      if (buffer.remaining() < bytes) {
        throw new EOFException("a file that ends in the middle of an entry");
      }
    }
    return buffer;
  }
}
