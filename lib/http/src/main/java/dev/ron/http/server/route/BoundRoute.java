package dev.ron.http.server.route;

import dev.ron.kernel.metric.KernelMetrics;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;

/**
 * A route with its metrics looked up once, so that a request does not look them up by label.
 *
 * <p>Threading: thread-safe; two first uses of a status may both look it up, with one result.
 */
public final class BoundRoute {
  private static final int STATUSES = 600;

  private static final Pattern REST = Pattern.compile("(?<=.)/\\{[^}]*\\.\\.\\.}$");

  private final Route route;
  private final String endpoint;
  private final KernelMetrics counters;
  private final GaugeDataPoint inflight;
  private final DistributionDataPoint latency;
  private final AtomicReferenceArray<CounterDataPoint> answered =
      new AtomicReferenceArray<>(STATUSES * RouteTable.METHOD_LABELS);

  BoundRoute(Route route, KernelMetrics counters) {
    this.route = route;
    this.endpoint = REST.matcher(route.pattern().toString()).replaceFirst("");
    this.counters = counters;
    this.inflight = counters.inflightRequests().labelValues(label());
    this.latency = counters.requestLatency().labelValues(route.op());
  }

  public Route route() {
    return route;
  }

  /** Its pattern: the one word for a route in all metrics. */
  public String label() {
    return route.pattern().toString();
  }

  /** Its pattern without the rest of the path that it takes: what a client calls the endpoint. */
  public String endpoint() {
    return endpoint;
  }

  public void entered() {
    inflight.inc();
  }

  public void left(String method, int status, Duration took) {
    inflight.dec();
    latency.observe(took.toNanos() / 1e9);
    String label = RouteTable.methodLabel(method);
    int at = RouteTable.methodIndex(label) * STATUSES + status;
    CounterDataPoint counter = answered.get(at);
    if (counter == null) {
      counter = counters.httpRequests().labelValues(label(), label, Integer.toString(status));
      answered.set(at, counter);
    }
    counter.inc();
  }
}
