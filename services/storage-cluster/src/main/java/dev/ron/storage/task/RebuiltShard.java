package dev.ron.storage.task;

import dev.ron.erasure.Layout;
import dev.ron.erasure.ShardSet;
import java.io.IOException;

/**
 * A shard computed from the others as it is read.
 *
 * <p>Threading: owned by one thread.
 */
final class RebuiltShard extends PieceStream {
  private static final int UNITS = 1;
  static final int PIECE_BYTES = UNITS * Layout.UNIT_BYTES;

  private final ShardFetch fetch;
  private final int shard;
  private final long units;
  private long next;

  RebuiltShard(ShardFetch fetch, int shard) {
    this.fetch = fetch;
    this.shard = shard;
    this.units = fetch.object().layout().shardBytes() / Layout.UNIT_BYTES;
  }

  @Override
  byte[] next() throws IOException, InterruptedException {
    if (next == units) {
      return END;
    }
    int count = (int) Math.min(UNITS, units - next);
    byte[] piece = fetch.pieces(ShardSet.of(shard), next, count)[shard];
    if (piece == null) {
      throw new IOException("shard " + shard + " was not rebuilt");
    }
    next += count;
    return piece;
  }
}
