package dev.ron.node.top;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Two readings of a node as a table: what happened between them. */
final class TopTable {
  private TopTable() {}

  /** What one service did. */
  private record Row(
      String service,
      boolean ready,
      double perSecond,
      double p50Millis,
      double p99Millis,
      double refusedPerSecond,
      long restarts,
      long dropped) {}

  static String text(List<TopSample> before, List<TopSample> now) {
    var out = new StringBuilder();
    out.append(
        "%-10s %-6s %9s %10s %10s %9s %9s %9s%n"
            .formatted(
                "SERVICE",
                "READY",
                "REQ/S",
                "P50 MS",
                "P99 MS",
                "REFUSED/S",
                "RESTARTS",
                "DROPPED"));
    for (Row row : rows(before, now)) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-10s %-6s %9.1f %10s %10s %9.1f %9d %9d%n",
              row.service(),
              row.ready() ? "yes" : "NO",
              row.perSecond(),
              millis(row.p50Millis()),
              millis(row.p99Millis()),
              row.refusedPerSecond(),
              row.restarts(),
              row.dropped()));
    }
    return out.toString();
  }

  static String json(List<TopSample> before, List<TopSample> now) {
    return rows(before, now).stream()
        .map(
            row ->
                String.format(
                    Locale.ROOT,
                    "{\"service\":\"%s\",\"ready\":%s,\"requests_per_second\":%.3f,"
                        + "\"p50_ms\":%s,\"p99_ms\":%s,\"refused_per_second\":%.3f,"
                        + "\"restarts\":%d,\"dropped\":%d}",
                    row.service(),
                    row.ready(),
                    row.perSecond(),
                    jsonMillis(row.p50Millis()),
                    jsonMillis(row.p99Millis()),
                    row.refusedPerSecond(),
                    row.restarts(),
                    row.dropped()))
        .collect(Collectors.joining(",", "{\"services\":[", "]}\n"));
  }

  private static List<Row> rows(List<TopSample> before, List<TopSample> now) {
    return now.stream()
        .map(
            one ->
                before.stream()
                    .filter(earlier -> earlier.service().equals(one.service()))
                    .findFirst()
                    .map(earlier -> row(earlier, one))
                    .orElseGet(() -> row(one, one)))
        .toList();
  }

  private static Row row(TopSample before, TopSample now) {
    double seconds = Math.max(1e-3, Duration.between(before.at(), now.at()).toNanos() / 1e9);
    TreeMap<Double, Double> grown = new TreeMap<>();
    now.latency()
        .forEach(
            (bound, count) -> grown.put(bound, count - before.latency().getOrDefault(bound, 0.0)));
    return new Row(
        now.service(),
        now.ready(),
        grown(before, now, "http_requests_total") / seconds,
        quantile(grown, 0.5) * 1e3,
        quantile(grown, 0.99) * 1e3,
        grown(before, now, "rejected_total") / seconds,
        Math.round(now.counter("service_restarts_total")),
        Math.round(now.counter("queue_dropped_total")));
  }

  /** A counter below its earlier value belongs to a process that began anew. */
  private static double grown(TopSample before, TopSample now, String name) {
    double grown = now.counter(name) - before.counter(name);
    return grown >= 0 ? grown : now.counter(name);
  }

  /** By the bounds of the buckets, in a straight line within one; NaN if nothing was counted. */
  static double quantile(NavigableMap<Double, Double> buckets, double q) {
    double all = buckets.isEmpty() ? 0 : buckets.lastEntry().getValue();
    double lower = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
      if (all > 0 && bucket.getValue() >= q * all) {
        return Double.isInfinite(bucket.getKey())
            ? lower
            : lower
                + (bucket.getKey() - lower)
                    * (q * all - below)
                    / Math.max(1e-9, bucket.getValue() - below);
      }
      lower = bucket.getKey();
      below = bucket.getValue();
    }
    return Double.NaN;
  }

  private static String millis(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String jsonMillis(double value) {
    return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.3f", value);
  }
}
