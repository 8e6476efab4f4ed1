package dev.ron.mailbox;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.CappedLabel;
import dev.ron.kernel.metric.Metrics;
import dev.ron.mailbox.core.message.TopicOwner;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Summary;
import java.util.List;
import java.util.Optional;

/**
 * Every metric of the mailbox besides the kernel's.
 *
 * <p>{@code queue_depth} is the kernel's: the ready messages of each shard are the queue {@code
 * ready} of its registry. {@code inflight} and {@code saturation} are sampled from the shards'
 * figures when they are scraped.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record MailboxMetrics(
    Counter requeueBackoff,
    Summary scannerWakeJitter,
    Gauge reorderDepthMax,
    Counter deadLetters,
    Counter integrityFailures,
    Counter sends,
    Histogram enqueueSeconds,
    Histogram dequeueSeconds,
    Histogram ackSeconds,
    Histogram snapshotSeconds,
    CappedLabel topics) {
  /** More topics than this share the label {@code other}. */
  private static final int TOPIC_LABELS_MAX = 200;

  /** Metrics whose {@code topic} is the name that a topic is kept under. */
  private static final List<String> NAMING_TOPICS = List.of("dlq_total", "inflight");

  public static MailboxMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    for (String family : NAMING_TOPICS) {
      metrics.owned(
          family, "topic", (tenant, topic) -> TopicOwner.of(Optional.of(tenant)).owns(topic));
    }
    return new MailboxMetrics(
        metrics.counter(
            "requeue_backoff_total", "Expiries put off because the journal took no more."),
        metrics.summary(
            "scanner_wake_jitter_ms", "How late expiries were noticed, in ms.", "shard"),
        metrics.gauge(
            "reorder_depth_max",
            "Most messages of a topic and group handed out before one that was sent earlier, at its"
                + " first delivery.",
            "shard"),
        metrics.counter("dlq_total", "Messages that became dead letters.", "topic", "reason"),
        metrics.counter("integrity_fail_total", "Payloads that did not have their hash.", "reason"),
        metrics.counter("mailbox_sends_total", "Sends by what became of them.", "outcome"),
        metrics.latency("enqueue_latency_seconds", "From a send's turn to its answer."),
        metrics.latency("dequeue_latency_seconds", "From a message's send to a delivery of it."),
        metrics.latency("ack_latency_seconds", "From an ack's turn to its answer."),
        metrics.latency("snapshot_seconds", "Time to write one snapshot."),
        new CappedLabel(TOPIC_LABELS_MAX));
  }
}
