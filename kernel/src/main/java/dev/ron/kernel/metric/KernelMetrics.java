package dev.ron.kernel.metric;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;

/**
 * Every metric that all services share; the names are a contract.
 *
 * <p>{@code queue_depth} and {@code readyz_degraded} are not here: the registry and the readiness
 * sample them when they are scraped.
 *
 * <p>Threading: immutable; the metrics themselves are thread-safe.
 */
public record KernelMetrics(
    Counter queueDropped,
    Counter busyRejections,
    Counter tasksSpawned,
    Counter tasksAborted,
    Counter tasksCanceled,
    Counter ioTimeouts,
    Counter backoffRetries,
    Counter serviceRestarts,
    Counter busLagged,
    Histogram requestLatency,
    Counter httpRequests,
    Gauge inflightRequests,
    Counter rejected) {
  public static KernelMetrics in(Metrics metrics) {
    return new KernelMetrics(
        metrics.counter("queue_dropped_total", "Items dropped from a bounded queue.", "queue"),
        metrics.counter(
            "busy_rejections_total", "Requests refused because a bound was reached.", "endpoint"),
        metrics.counter("tasks_spawned_total", "Tasks started, restarts included.", "kind"),
        metrics.counter(
            "tasks_aborted_total", "Tasks interrupted because they outlived the drain.", "kind"),
        metrics.counter(
            "tasks_canceled_total", "Waits ended by shutdown or by an interrupt.", "kind"),
        metrics.counter("io_timeouts_total", "Operations that ran into their deadline.", "op"),
        metrics.counter("backoff_retries_total", "Waits before another try.", "op"),
        metrics.counter("service_restarts_total", "Tasks restarted after they failed.", "task"),
        metrics.counter("bus_lagged_total", "Events a slow reader of a topic missed.", "topic"),
        metrics.latency("request_latency_seconds", "Time from request head to answer.", "op"),
        metrics.counter("http_requests_total", "Requests answered.", "route", "method", "status"),
        metrics.gauge("inflight_requests", "Requests being worked on.", "route"),
        metrics.counter("rejected_total", "Requests refused, by reason.", "reason"));
  }
}
