package dev.ron.edge.fill;

import dev.ron.http.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a fill while it runs: written by its worker, read by the requests that wait for it.
 *
 * <p>Every reader gets all bytes from the first, and is told the end only if the fill came whole.
 *
 * <p>Threading: one writer; each reader is owned by one thread.
 */
public interface FillBytes {
  /** One reader's place. */
  interface Reader extends AutoCloseable {
    /**
     * Waits for bytes.
     *
     * @return how many, or -1 after the last
     * @throws Refusal if the fill failed: what was read so far is not the whole
     */
    int read(byte[] into) throws IOException, InterruptedException;

    @Override
    void close();
  }

  void append(byte[] bytes, int offset, int length) throws IOException, InterruptedException;

  /** All bytes are there. */
  void end();

  /** No more bytes will come. */
  void fail(Refusal why);

  /** Null if it is too late to read from the first byte on. */
  @Nullable Reader open();

  /** The writer needs it no more; what it holds goes with the last reader. */
  void letGo();
}
