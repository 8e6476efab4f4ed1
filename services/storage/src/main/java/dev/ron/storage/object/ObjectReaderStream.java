package dev.ron.storage.object;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A reading as a stream, for copying; ends in an exception where no copy is good.
 *
 * <p>Threading: owned by one thread.
 */
public final class ObjectReaderStream extends InputStream {
  private final ObjectReader transfer;
  private ByteBuffer group = ByteBuffer.allocate(0);
  private boolean ended;

  public ObjectReaderStream(ObjectReader transfer) {
    this.transfer = transfer;
  }

  /** Why a transfer ended before its time. */
  public static final class LostException extends IOException {
    private static final long serialVersionUID = 1L;

    LostException(String why) {
      super(why);
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? group.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, group.remaining());
    group.get(into, offset, count);
    return count;
  }

  private boolean fill() throws IOException {
    while (!group.hasRemaining() && !ended) {
      switch (step()) {
        case ObjectReader.Step.Bytes(ByteBuffer bytes) -> group = bytes;
        case ObjectReader.Step.End _ -> ended = true;
        case ObjectReader.Step.Lost(var fault) -> throw new LostException(fault.detail());
      }
    }
    return group.hasRemaining();
  }

  private ObjectReader.Step step() throws IOException {
    try {
      return transfer.next();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled while reading", e);
    }
  }

  @Override
  public void close() {
    transfer.close();
  }
}
