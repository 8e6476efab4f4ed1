package dev.ron.node.trace;

import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;

/**
 * Every metric of the export.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 *
 * @param dropped by reason: {@code queue} was full, {@code request} had more than are kept of one,
 *     {@code late} for the collector, {@code refused} by it, {@code shutdown}
 * @param exports by result: {@code taken}, {@code failed} and tried again, {@code refused}
 */
record TraceMetrics(Counter exported, Counter dropped, Counter exports) {
  static TraceMetrics in(Metrics metrics) {
    return new TraceMetrics(
        metrics.counter("spans_exported_total", "Spans that the collector has taken."),
        metrics.counter("spans_dropped_total", "Spans that were not told, by reason.", "reason"),
        metrics.counter(
            "span_exports_total", "Batches sent to the collector, by result.", "result"));
  }

  void drop(String reason, long spans) {
    if (spans > 0) {
      dropped.labelValues(reason).inc(spans);
    }
  }
}
