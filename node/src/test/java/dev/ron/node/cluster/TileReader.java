package dev.ron.node.cluster;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client of the edge: tiles of the sample map, always the same bytes.
 *
 * <p>Threading: owned by its client's thread.
 */
final class TileReader implements ClusterLoad.Step {
  private final ClusterLedger ledger;
  private byte @Nullable [] tile;

  TileReader(ClusterLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public ClusterLoad.@Nullable Sequel run(ClusterClient to)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> read = to.gateway("GET", "/edge/assets/sample/0/0/0.mvt", new byte[0]);
    if (read.statusCode() != 200) {
      return null;
    }
    if (tile == null) {
      tile = read.body();
    } else if (!Arrays.equals(tile, read.body())) {
      ledger.contradicts("a tile of the sample changed");
    }
    return ClusterLoad.Sequel.NONE;
  }
}
