package dev.ron.storage.cluster.repair;

import dev.ron.storage.cluster.core.InventoryDiff;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.PeerNode;
import dev.ron.storage.core.Inventory;
import java.io.IOException;
import java.util.List;

/**
 * What another node shares with this one, asked for range by range.
 *
 * <p>Threading: immutable.
 */
record PeerRanges(PeerNode peer, ClusterNode.Shared shared)
    implements InventoryDiff.Ranges<IOException> {
  @Override
  public List<RangeDigests.Part> parts(String range) throws IOException, InterruptedException {
    return peer.parts(shared, range);
  }

  @Override
  public List<Inventory.Listed> objects(String range) throws IOException, InterruptedException {
    return peer.objects(shared, range);
  }
}
