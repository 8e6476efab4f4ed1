package dev.ron.bench.load;

import dev.ron.bench.run.Spread;
import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what {@code h2load} prints and its log of single requests, for it prints no percentiles.
 *
 * <p>Threading: immutable.
 */
final class H2loadReport {
  private static final Pattern RATE =
      Pattern.compile("(?m)^finished in [0-9.]+\\w+, ([0-9.]+) req/s");
  private static final Pattern REQUESTS =
      Pattern.compile(
          "(?m)^requests: \\d+ total, \\d+ started, (\\d+) done, \\d+ succeeded, (\\d+) failed,"
              + " \\d+ errored, (\\d+) timeout");
  private static final Pattern STATUSES =
      Pattern.compile("(?m)^status codes: \\d+ 2xx, \\d+ 3xx, (\\d+) 4xx, (\\d+) 5xx");
  private static final double MICROS_PER_MILLI = 1e3;

  private H2loadReport() {}

  /**
   * h2load counts errored, late and badly answered requests all as failed; the statuses are looked
   * at as well, so that nothing is called good that was not.
   *
   * @param log lines of start time, status and microseconds, separated by tabs
   */
  static LoadResult parse(String output, Stream<String> log) throws IOException {
    Matcher requests = found(REQUESTS, output);
    Matcher statuses = found(STATUSES, output);
    long failed = Long.parseLong(requests.group(2));
    long badStatus = Long.parseLong(statuses.group(1)) + Long.parseLong(statuses.group(2));
    long[] micros =
        log.mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf('\t') + 1))).toArray();
    Arrays.sort(micros);
    return new LoadResult(
        Long.parseLong(requests.group(1)),
        Double.parseDouble(found(RATE, output).group(1)),
        percentileMillis(micros, 0.50),
        percentileMillis(micros, 0.90),
        percentileMillis(micros, 0.99),
        Math.max(failed, badStatus));
  }

  /** Zero, as wrk says it, when nothing was answered; the errors tell the rest. */
  private static double percentileMillis(long[] sortedMicros, double part) {
    return sortedMicros.length == 0 ? 0 : Spread.percentile(sortedMicros, part) / MICROS_PER_MILLI;
  }

  private static Matcher found(Pattern pattern, String output) throws IOException {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new IOException("h2load's report lacks " + pattern + ":\n" + output);
    }
    return matcher;
  }
}
