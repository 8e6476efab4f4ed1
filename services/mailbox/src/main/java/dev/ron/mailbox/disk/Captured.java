package dev.ron.mailbox.disk;

import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.core.ShardImage;
import java.util.List;

/**
 * One shard at one moment.
 *
 * <p>Threading: immutable.
 *
 * @param position every fact of this shard before this position is in it, and none after
 * @param leases what was in flight; empty where leases are not kept
 */
public record Captured(int shard, long position, ShardImage image, List<Fact.Leased> leases) {
  public Captured {
    leases = List.copyOf(leases);
  }

  public Captured(int shard, long position, ShardImage image) {
    this(shard, position, image, List.of());
  }
}
