package dev.ron.node.dashboard;

import java.util.Map;
import java.util.TreeMap;

/**
 * How requests went between two readings: rates a second, and latencies in seconds.
 *
 * <p>Threading: immutable.
 *
 * @param p50 not a number where no request was measured, and likewise p99
 */
record HistoryPoint(double requests, double failed, double refused, double p50, double p99) {
  /** A count that shrank began anew with a restart: then all of it is new. */
  static HistoryPoint between(RequestCounts before, RequestCounts after, double seconds) {
    boolean anew = after.requests() < before.requests();
    RequestCounts from = anew ? RequestCounts.NONE : before;
    var grown = new TreeMap<Double, Double>();
    after
        .latency()
        .forEach(
            (bound, count) ->
                grown.put(bound, Math.max(0, count - from.latency().getOrDefault(bound, 0.0))));
    return new HistoryPoint(
        rate(from.requests(), after.requests(), seconds),
        rate(from.failed(), after.failed(), seconds),
        rate(from.refused(), after.refused(), seconds),
        quantile(grown, 0.5),
        quantile(grown, 0.99));
  }

  private static double rate(double before, double after, double seconds) {
    return Math.max(0, after - before) / seconds;
  }

  /** Within its bucket by proportion, as Prometheus reads it; the last bound where it is past. */
  private static double quantile(Map<Double, Double> buckets, double share) {
    double all = buckets.values().stream().mapToDouble(each -> each).sum();
    double wanted = share * all;
    double lower = 0;
    double below = 0;
    for (var bucket : buckets.entrySet()) {
      double bound = bucket.getKey();
      double count = bucket.getValue();
      if (all > 0 && below + count >= wanted && count > 0) {
        return Double.isInfinite(bound)
            ? lower
            : lower + (bound - lower) * (wanted - below) / count;
      }
      below += count;
      lower = bound;
    }
    return Double.NaN;
  }

  /** A list of five numbers, null for what was not measured. */
  String json() {
    return "[%s,%s,%s,%s,%s]"
        .formatted(number(requests), number(failed), number(refused), number(p50), number(p99));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "null" : Double.toString(Math.round(value * 1e6) / 1e6);
  }
}
