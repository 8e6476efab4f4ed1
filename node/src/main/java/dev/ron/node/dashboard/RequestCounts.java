package dev.ron.node.dashboard;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a service, or a tenant at the gateway, has counted of its requests since its start.
 *
 * <p>Threading: immutable; the map is never changed.
 *
 * @param failed answered with a status of 500 or more
 * @param refused before they were begun: too many, too large, past a limit
 * @param latency requests by the upper bound of their bucket in seconds
 */
record RequestCounts(
    double requests, double failed, double refused, NavigableMap<Double, Double> latency) {
  static final RequestCounts NONE = new RequestCounts(0, 0, 0, new TreeMap<>());

  /** The names that {@link #of} reads. */
  static final Set<String> NAMES =
      Set.of("http_requests_total", "rejected_total", "request_latency_seconds");

  static final String TENANTS = "gateway_tenant_latency_seconds";

  /** What the dashboard and a scraper ask for by themselves is not a service's work. */
  private static final Set<String> QUESTIONS =
      Set.of("metrics", "readyz", "healthz", "version", "openapi", "registry");

  private static final String FAILED = "5";

  static RequestCounts of(MetricSnapshots snapshots) {
    RequestCounts sum = NONE;
    for (MetricSnapshot snapshot : snapshots) {
      switch (snapshot) {
        case CounterSnapshot counter -> sum = sum.plus(counter);
        case HistogramSnapshot histogram -> {
          for (var point : histogram.getDataPoints()) {
            if (!QUESTIONS.contains(label(point.getLabels(), "op"))) {
              sum = sum.plus(point.getClassicBuckets());
            }
          }
        }
        default -> {}
      }
    }
    return sum;
  }

  private RequestCounts plus(CounterSnapshot counter) {
    RequestCounts sum = this;
    for (var point : counter.getDataPoints()) {
      Labels labels = point.getLabels();
      if (!labels.contains("route")) {
        sum = new RequestCounts(requests, failed, sum.refused + point.getValue(), latency);
      } else if (!QUESTIONS.contains(label(labels, "route").replaceAll("^/|\\.json$", ""))) {
        boolean isFailed = label(labels, "status").startsWith(FAILED);
        sum =
            new RequestCounts(
                sum.requests + point.getValue(),
                sum.failed + (isFailed ? point.getValue() : 0),
                sum.refused,
                latency);
      }
    }
    return sum;
  }

  RequestCounts plus(ClassicHistogramBuckets buckets) {
    var sum = new TreeMap<>(latency);
    for (int i = 0; i < buckets.size(); i++) {
      sum.merge(buckets.getUpperBound(i), (double) buckets.getCount(i), Double::sum);
    }
    return new RequestCounts(requests, failed, refused, sum);
  }

  /** A tenant's, whose histogram is all there is: every measured request is one. */
  static void tenants(MetricSnapshots snapshots, Map<String, RequestCounts> into) {
    for (MetricSnapshot snapshot : snapshots) {
      if (snapshot instanceof HistogramSnapshot histogram) {
        for (var point : histogram.getDataPoints()) {
          RequestCounts measured = NONE.plus(point.getClassicBuckets());
          double all = measured.latency.values().stream().mapToDouble(each -> each).sum();
          into.put(
              label(point.getLabels(), "tenant"), new RequestCounts(all, 0, 0, measured.latency));
        }
      }
    }
  }

  private static String label(Labels labels, String name) {
    String value = labels.get(name);
    return value == null ? "" : value;
  }
}
