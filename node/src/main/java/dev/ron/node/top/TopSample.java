package dev.ron.node.top;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The metrics of one service at one moment.
 *
 * @param counters the sums over all labels, without what this command itself asks for
 * @param latency buckets of the request latency: upper bound in seconds to count so far
 */
record TopSample(
    String service,
    Instant at,
    boolean ready,
    Map<String, Double> counters,
    NavigableMap<Double, Double> latency) {
  private static final Pattern LINE =
      Pattern.compile("(?m)^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? ([^ \\n]+)$");
  private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");

  /**
   * @param metrics of the whole node; what is of other services is left out
   */
  static TopSample of(String service, Instant at, boolean ready, String metrics) {
    String own = "service=\"" + service + "\"";
    var counters = new LinkedHashMap<String, Double>();
    var latency = new TreeMap<Double, Double>();
    LINE.matcher(metrics)
        .results()
        .forEach(
            line -> {
              String labels = line.group(2) == null ? "" : line.group(2);
              if (labels.startsWith(own)
                  && !labels.contains("metrics\"")
                  && !labels.contains("readyz\"")) {
                take(line, labels, counters, latency);
              }
            });
    return new TopSample(service, at, ready, counters, latency);
  }

  private static void take(
      MatchResult line,
      String labels,
      Map<String, Double> counters,
      NavigableMap<Double, Double> latency) {
    String name = line.group(1);
    double value = number(line.group(3));
    if (name.equals("request_latency_seconds_bucket")) {
      var bound = BOUND.matcher(labels);
      if (bound.find()) {
        latency.merge(number(bound.group(1)), value, Double::sum);
      }
    } else if (!name.endsWith("_bucket")) {
      counters.merge(name, value, Double::sum);
    }
  }

  private static double number(String text) {
    return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  double counter(String name) {
    return counters.getOrDefault(name, 0.0);
  }
}
