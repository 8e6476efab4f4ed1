package dev.ron.rewarder.file;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.Wide;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a file from its beginning to its end, in large pieces.
 *
 * <p>Threading: owned by the thread that opened it.
 */
public final class DiskOutput implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 << 10;

  private final DiskFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private boolean begun;
  private long written;

  public DiskOutput(DiskFile file) {
    this.file = file;
  }

  public long position() {
    return written + buffer.position();
  }

  public void putByte(int value) throws IOException {
    room(1).put((byte) value);
  }

  public void putShort(int value) throws IOException {
    room(Short.BYTES).putShort((short) value);
  }

  public void putLong(long value) throws IOException {
    room(Long.BYTES).putLong(value);
  }

  public void putWide(Wide value) throws IOException {
    room(Wide.BYTES).putLong(value.high()).putLong(value.low());
  }

  /** No more than fits the buffer. */
  public void put(byte[] bytes, int from, int length) throws IOException {
    room(length).put(bytes, from, length);
  }

  public void flush() throws IOException {
    drain();
    file.flush();
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      drain();
    }
    return buffer;
  }

  private void drain() throws IOException {
    if (!begun) { // not where it is made: what fails there is never closed
      file.truncate(0);
      begun = true;
    }
    buffer.flip();
    int length = buffer.remaining();
    file.write(buffer, written);
    written += length;
    buffer.clear();
  }

  /** Everything is in the file, though maybe not on the disk. */
  @Override
  public void close() throws IOException {
    try (file) {
      drain();
    }
  }
}
