package dev.ron.storage.s3;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * Every metric of the S3 door besides the kernel's.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record StorageS3Metrics(
    Histogram requestSeconds, Counter errors, Counter bytesIn, Counter bytesOut) {
  public static StorageS3Metrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new StorageS3Metrics(
        metrics.latency(
            "s3_request_latency_seconds", "From a request's head to its answer.", "operation"),
        metrics.counter("s3_errors_total", "Requests that were refused or failed.", "code"),
        metrics.counter("s3_bytes_in_total", "Bytes of bodies that were stored."),
        metrics.counter("s3_bytes_out_total", "Bytes of objects that were sent."));
  }
}
