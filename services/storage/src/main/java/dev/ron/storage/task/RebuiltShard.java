package dev.ron.storage.task;

import dev.ron.erasure.Layout;
import dev.ron.erasure.ShardSet;
import java.io.IOException;
import java.io.InputStream;

/**
 * A shard computed from the others as it is read.
 *
 * <p>Threading: owned by one thread.
 */
final class RebuiltShard extends InputStream {
  private static final int UNITS = 1;
  static final int PIECE_BYTES = UNITS * Layout.UNIT_BYTES;

  private final ShardFetch fetch;
  private final int shard;
  private final long units;
  private long next;
  private byte[] piece = new byte[0];
  private int at;

  RebuiltShard(ShardFetch fetch, int shard) {
    this.fetch = fetch;
    this.shard = shard;
    this.units = fetch.object().layout().shardBytes() / Layout.UNIT_BYTES;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == piece.length && !fill()) {
      return -1;
    }
    int count = Math.min(length, piece.length - at);
    System.arraycopy(piece, at, into, offset, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    if (next == units) {
      return false;
    }
    int count = (int) Math.min(UNITS, units - next);
    try {
      byte[] got = fetch.pieces(ShardSet.of(shard), next, count)[shard];
      if (got == null) {
        throw new IOException("shard " + shard + " was not rebuilt");
      }
      piece = got;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled", e);
    }
    at = 0;
    next += count;
    return true;
  }
}
