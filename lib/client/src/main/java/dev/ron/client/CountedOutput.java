package dev.ron.client;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/**
 * Counts what is written, and remembers whether it was the writing that failed.
 *
 * <p>Threading: owned by one thread.
 */
final class CountedOutput extends FilterOutputStream {
  private final LongConsumer progress;
  private long written;
  private boolean broken;

  CountedOutput(OutputStream to, LongConsumer progress) {
    super(to);
    this.progress = progress;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      broken = true;
      throw e;
    }
    written += length;
    progress.accept(written);
  }

  long written() {
    return written;
  }

  /** Asking again would not help: no receiver takes the bytes. */
  boolean broken() {
    return broken;
  }
}
