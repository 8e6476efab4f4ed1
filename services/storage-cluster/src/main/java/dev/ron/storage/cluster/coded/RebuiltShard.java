package dev.ron.storage.cluster.coded;

import dev.ron.erasure.ShardSet;
import dev.ron.erasure.StripeLayout;
import java.io.IOException;

/**
 * A shard computed from the others as it is read.
 *
 * <p>Threading: owned by one thread.
 */
public final class RebuiltShard extends PieceStream {
  private static final int UNITS = 1;
  public static final int PIECE_BYTES = UNITS * StripeLayout.UNIT_BYTES;

  private final ShardFetch fetch;
  private final int shard;
  private final long units;
  private long next;

  public RebuiltShard(ShardFetch fetch, int shard) {
    this.fetch = fetch;
    this.shard = shard;
    this.units = fetch.object().layout().shardBytes() / StripeLayout.UNIT_BYTES;
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
