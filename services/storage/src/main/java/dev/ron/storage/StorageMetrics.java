package dev.ron.storage;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * Every metric of the storage besides the kernel's.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record StorageMetrics(
    Histogram getSeconds,
    Histogram putSeconds,
    Counter chunksRead,
    Counter chunksWritten,
    Counter bytesIn,
    Counter bytesOut,
    Counter integrityFailures,
    Counter decompressRejects,
    Gauge rfTarget,
    Gauge rfObserved,
    Counter repairBytes,
    Counter repairSeconds,
    Histogram repairWait,
    Counter repairSkipped,
    Counter repairs,
    Counter scrubbedBytes,
    Gauge uploadsOpen) {
  public static StorageMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new StorageMetrics(
        metrics.latency(
            "storage_get_latency_seconds", "From a read's head to its end.", "route", "range"),
        metrics.latency("storage_put_latency_seconds", "From a write's head to its answer."),
        metrics.counter("chunks_read_total", "Groups of 64 KiB that were read and handed out."),
        metrics.counter("chunks_written_total", "Groups of 64 KiB that were stored."),
        metrics.counter("bytes_in_total", "Bytes of objects and parts that were taken in."),
        metrics.counter("bytes_out_total", "Bytes of objects that were handed out."),
        metrics.counter(
            "integrity_fail_total", "Copies that could not be read as stored.", "reason"),
        metrics.counter("decompress_reject_total", "Coded bodies that were refused.", "reason"),
        metrics.gauge("rf_target", "Copies that each object should have."),
        metrics.gauge(
            "rf_observed",
            "Good copies of the object that has the fewest; on several nodes, on those that answer."),
        metrics.counter("repair_bytes_total", "Bytes that repair wrote."),
        metrics.counter("repair_seconds_total", "Time that repairs took, waiting included."),
        metrics.latency("repair_wait_seconds", "Waits of repair for its share of bytes."),
        metrics.counter("repair_skipped_total", "Plans that were not carried out.", "reason"),
        metrics.counter("repairs_total", "Repairs by what became of them.", "outcome"),
        metrics.counter("scrubbed_bytes_total", "Bytes at rest that were verified."),
        metrics.gauge("uploads_open", "Uploads that are not complete."));
  }
}
