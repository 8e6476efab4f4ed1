package dev.ron.storage.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;

/**
 * Every metric that a storage has only with several nodes.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record StorageClusterMetrics(Counter hedgeWins, Counter hedgeLosses, Counter takenBack) {
  public static StorageClusterMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new StorageClusterMetrics(
        metrics.counter("hedge_wins_total", "Second reads that were faster than the first."),
        metrics.counter("hedge_losses_total", "Second reads that were not."),
        metrics.counter("writes_taken_back_total", "Copies of refused writes that went again."));
  }
}
