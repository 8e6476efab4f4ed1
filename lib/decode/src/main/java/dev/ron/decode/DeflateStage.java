package dev.ron.decode;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * deflate, which is zlib by the book and raw from many senders; the first two bytes tell. A raw
 * stream could only look like zlib if it began with a stored block and junk in its padding, which
 * no encoder writes.
 *
 * <p>Threading: owned by its {@link Decoder}.
 */
final class DeflateStage implements DecodeStage {
  private final ByteBuffer first = ByteBuffer.allocate(2);
  private @Nullable Inflater inflater;

  @Override
  public Flow pump(ByteBuffer in, ByteBuffer out) {
    Inflater chosen = inflater;
    if (chosen == null) {
      while (first.hasRemaining()) {
        if (!in.hasRemaining()) {
          return Flow.HUNGRY;
        }
        first.put(in.get());
      }
      first.flip();
      chosen = new Inflater(!isZlib(first.getShort(0) & 0xffff));
      inflater = chosen;
    }
    try {
      Flow flow = GzipStage.inflate(chosen, first, out);
      if (flow == Flow.HUNGRY) {
        flow = GzipStage.inflate(chosen, in, out);
      }
      boolean more = first.hasRemaining() || in.hasRemaining();
      return flow == Flow.DONE && more ? Flow.TRAILING : flow;
    } catch (DataFormatException _) {
      return Flow.BROKEN;
    }
  }

  private static boolean isZlib(int head) {
    return ((head >> 8) & 0xf) == 8 && head >> 12 <= 7 && head % 31 == 0;
  }

  @Override
  public void close() {
    if (inflater != null) {
      inflater.end();
    }
  }
}
