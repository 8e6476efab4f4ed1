package dev.ron.mailbox.journal;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.state.ShardImage;
import java.util.List;

/**
 * One shard at one moment.
 *
 * <p>Threading: immutable.
 *
 * @param position every fact of this shard before this position is in it, and none after
 * @param leases what was in flight; empty where leases are not kept
 */
public record ShardCapture(int shard, long position, ShardImage image, List<Fact.Leased> leases) {
  public ShardCapture {
    leases = List.copyOf(leases);
  }

  public ShardCapture(int shard, long position, ShardImage image) {
    this(shard, position, image, List.of());
  }
}
