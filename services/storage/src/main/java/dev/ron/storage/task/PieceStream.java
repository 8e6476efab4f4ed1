package dev.ron.storage.task;

import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of what comes in pieces, each asked for when the one before it is read.
 *
 * <p>Threading: owned by one thread.
 */
abstract class PieceStream extends InputStream {
  static final byte[] END = new byte[0];

  private byte[] piece = END;
  private int at;
  private boolean ended;

  /** The next piece, {@link #END} after the last; an interrupt ends the stream with an error. */
  abstract byte[] next() throws IOException, InterruptedException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
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
