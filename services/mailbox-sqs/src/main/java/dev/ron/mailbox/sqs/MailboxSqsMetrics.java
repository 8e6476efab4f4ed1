package dev.ron.mailbox.sqs;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * Every metric of the SQS door besides the kernel's.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record MailboxSqsMetrics(
    Histogram requestSeconds, Counter errors, Counter sent, Counter received, Counter deleted) {
  public static MailboxSqsMetrics in(Scope scope) {
    Metrics metrics = scope.metrics();
    return new MailboxSqsMetrics(
        metrics.latency(
            "sqs_request_latency_seconds", "From a request's head to its answer.", "action"),
        metrics.counter("sqs_errors_total", "Requests that were refused or failed.", "code"),
        metrics.counter("sqs_messages_sent_total", "Messages that were taken."),
        metrics.counter("sqs_messages_received_total", "Messages that were handed out."),
        metrics.counter("sqs_messages_deleted_total", "Messages that were deleted."));
  }
}
