package dev.ron.storage.cluster.coded;

import dev.ron.kernel.stream.BlockStream;
import java.io.IOException;

/**
 * A stream of what comes in pieces, each asked for when the one before it is read.
 *
 * <p>Threading: owned by one thread.
 */
abstract class PieceStream extends BlockStream {
  static final byte[] END = new byte[0];

  private byte[] piece = END;
  private int at;
  private boolean ended;

  /** The next piece, {@link #END} after the last; an interrupt ends the stream with an error. */
  abstract byte[] next() throws IOException, InterruptedException;

  @Override
  protected final int block(byte[] into, int offset, int length) throws IOException {
    if (at == piece.length && !turn()) {
      return -1;
    }
    int count = Math.min(length, piece.length - at);
    System.arraycopy(piece, at, into, offset, count);
    at += count;
    return count;
  }

  private boolean turn() throws IOException {
    if (!ended) {
      try {
        piece = next();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("cancelled", e);
      }
      at = 0;
      ended = piece.length == 0;
    }
    return !ended;
  }
}
