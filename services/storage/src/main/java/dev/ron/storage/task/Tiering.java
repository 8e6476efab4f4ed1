package dev.ron.storage.task;

import dev.ron.content.ContentMetrics;
import dev.ron.content.S3Store;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.TierConfig;
import io.prometheus.metrics.core.metrics.Counter;

/**
 * The cold tier and what moves objects to it.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public final class Tiering {
  private final Scope scope;
  private final Tier tier;
  private final TierConfig config;
  private final Pace pace;
  private final Counter moved;
  private final Counter movedBytes;

  /** Does not ask the bucket: without it the disks are served as ever. */
  public Tiering(Scope scope, TierConfig config, Upkeep<?> upkeep, ContentMetrics metrics) {
    S3Store bucket = S3Store.open(scope, config.bucket(), "cold", metrics);
    this.scope = scope;
    this.tier =
        new Tier(upkeep.shelves(), bucket, new TouchedLately(config.rest(), scope.time().now()));
    this.config = config;
    this.pace = upkeep.pace();
    this.moved = scope.metrics().counter("tier_moved_total", "Objects that went to the bucket.");
    this.movedBytes = scope.metrics().counter("tier_moved_bytes_total", "Their bytes.");
  }

  public Stock stock() {
    return tier;
  }

  public Task mover() {
    return new TierMove(scope, tier, config, pace, moved, movedBytes);
  }
}
