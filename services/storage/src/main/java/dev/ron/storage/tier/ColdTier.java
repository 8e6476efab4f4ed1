package dev.ron.storage.tier;

import dev.ron.content.ContentMetrics;
import dev.ron.content.s3.S3Store;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.repair.RepairThrottle;
import io.prometheus.metrics.core.metrics.Counter;

/**
 * The cold tier and what moves objects to it.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public final class ColdTier {
  private final Scope scope;
  private final TieredStore tier;
  private final TierConfig config;
  private final RepairThrottle pace;
  private final Counter moved;
  private final Counter movedBytes;

  /** Does not ask the bucket: without it the disks are served as ever. */
  public ColdTier(Scope scope, TierConfig config, RepairTasks<?> upkeep, ContentMetrics metrics) {
    S3Store bucket = S3Store.open(scope, config.bucket(), "cold", metrics);
    this.scope = scope;
    this.tier =
        new TieredStore(
            upkeep.volumes(), bucket, new RecentObjects(config.rest(), scope.time().now()));
    this.config = config;
    this.pace = upkeep.pace();
    this.moved = scope.metrics().counter("tier_moved_total", "Objects that went to the bucket.");
    this.movedBytes = scope.metrics().counter("tier_moved_bytes_total", "Their bytes.");
  }

  public ObjectStore objects() {
    return tier;
  }

  public Task mover() {
    return new TierMover(scope, tier, config, pace, moved, movedBytes);
  }
}
