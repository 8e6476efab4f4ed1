package dev.ron.gateway;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.CappedLabel;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * Every metric of the gateway besides the kernel's.
 *
 * <p>{@code gateway_degraded} and {@code gateway_drr_queue_depth} are sampled when they are
 * scraped; see {@link dev.ron.gateway.admit.Admission}.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record GatewayMetrics(
    Counter quotaExhaustions,
    Histogram tenantLatency,
    Histogram upstreamLatency,
    CappedLabel tenants) {
  /** More tenants than this share the label {@code other}. */
  private static final int TENANT_LABELS_MAX = 200;

  public static GatewayMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new GatewayMetrics(
        metrics.counter("gateway_quota_exhaustions_total", "Requests over a rate limit.", "tenant"),
        metrics.latency(
            "gateway_tenant_latency_seconds", "From the head to the end of the answer.", "tenant"),
        metrics.latency(
            "upstream_latency_seconds", "From sending to the head of the answer.", "pool"),
        new CappedLabel(TENANT_LABELS_MAX));
  }
}
