package dev.ron.bench.store;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What fio's JSON says about its writes: rate and completion times.
 *
 * <p>Threading: immutable.
 */
public record FioReport(double writesPerSecond, double p50Nanos, double p99Nanos) {
  /**
   * fio prints one key per line and always in this order, so no JSON reader is needed for three.
   */
  private static final Pattern WRITES =
      Pattern.compile(
          "\"write\" : \\{.*?\"iops\" : ([0-9.]+).*?\"clat_ns\" : \\{[^}]*?\"percentile\" : \\{"
              + "[^}]*?\"50\\.000000\" : (\\d+)[^}]*?\"99\\.000000\" : (\\d+)",
          Pattern.DOTALL);

  public static FioReport parse(String json) throws IOException {
    Matcher matcher = WRITES.matcher(json);
    if (!matcher.find()) {
      throw new IOException("fio's report has no write percentiles:\n" + json);
    }
    return new FioReport(
        Double.parseDouble(matcher.group(1)),
        Double.parseDouble(matcher.group(2)),
        Double.parseDouble(matcher.group(3)));
  }
}
