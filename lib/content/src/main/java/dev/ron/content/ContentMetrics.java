package dev.ron.content;

import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * Every metric of the content stores of one service, made once and shared by all of them; the label
 * {@code store} tells them apart.
 *
 * <p>How full a store is, is read when the metrics are scraped.
 *
 * <p>Threading: thread-safe.
 */
public final class ContentMetrics {
  private static final String STORE = "store";

  private final List<SegmentStore> segmentStores = new CopyOnWriteArrayList<>();
  private final Counter writtenBytes;
  private final Histogram flushSeconds;
  private final Counter flushFailures;
  private final Counter compactions;
  private final Counter compactedBytes;
  private final Counter reclaimedBytes;
  private final Counter integrityFailures;
  private final Histogram remoteSeconds;
  private final Counter remoteFailures;

  private ContentMetrics(Metrics metrics) {
    this.writtenBytes =
        metrics.counter(
            "content_written_bytes_total", "Bytes of records that became durable.", STORE);
    this.flushSeconds =
        metrics.latency("content_flush_seconds", "Time that one flush of a segment took.", STORE);
    this.flushFailures =
        metrics.counter(
            "content_flush_failures_total", "Flushes that failed and ended a segment.", STORE);
    this.compactions =
        metrics.counter("content_compactions_total", "Segments copied to their end.", STORE);
    this.compactedBytes =
        metrics.counter("content_compacted_bytes_total", "Bytes that compaction copied.", STORE);
    this.reclaimedBytes =
        metrics.counter("content_reclaimed_bytes_total", "Bytes of segments given back.", STORE);
    this.integrityFailures =
        metrics.counter(
            "content_integrity_failures_total", "Bytes found not to have their hash.", STORE);
    this.remoteSeconds =
        metrics.latency(
            "content_remote_seconds", "Time of one request to a remote store.", STORE, "op");
    this.remoteFailures =
        metrics.counter(
            "content_remote_failures_total", "Requests that failed, each try.", STORE, "reason");
  }

  /** To be called once for a scope, whatever the number of stores in it. */
  public static ContentMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    var all = new ContentMetrics(metrics);
    all.sampled(metrics, "content_objects", "Objects that can be read.", s -> s.space().objects());
    all.sampled(
        metrics, "content_object_bytes", "Their sizes.", store -> store.space().objectBytes());
    all.sampled(
        metrics,
        "content_used_bytes",
        "What a store occupies, with everything not yet reclaimed.",
        store -> store.space().usedBytes());
    all.sampled(metrics, "content_free_bytes", "What is free.", store -> store.space().freeBytes());
    all.sampled(metrics, "content_segments", "Segment files.", SegmentStore::segments);
    all.sampled(metrics, "content_files_open", "Segments held open.", SegmentStore::filesOpen);
    all.sampled(
        metrics,
        "content_deleted_objects",
        "Deleted objects that the index still remembers.",
        SegmentStore::hidden);
    return all;
  }

  private void sampled(
      Metrics metrics, String name, String help, ToDoubleFunction<SegmentStore> figure) {
    metrics.sampled(
        name,
        help,
        sample -> {
          for (SegmentStore store : segmentStores) {
            sample.call(figure.applyAsDouble(store), store.name());
          }
        },
        STORE);
  }

  /** From now on the store is scraped. */
  public void show(SegmentStore store) {
    segmentStores.add(store);
  }

  public void hide(SegmentStore store) {
    segmentStores.remove(store);
  }

  public Histogram remoteSeconds() {
    return remoteSeconds;
  }

  public Counter remoteFailures() {
    return remoteFailures;
  }

  public Counter integrityFailures() {
    return integrityFailures;
  }

  public StoreMeters of(String store) {
    return new StoreMeters(
        writtenBytes.labelValues(store),
        flushSeconds.labelValues(store),
        flushFailures.labelValues(store),
        compactions.labelValues(store),
        compactedBytes.labelValues(store),
        reclaimedBytes.labelValues(store),
        integrityFailures.labelValues(store));
  }
}
