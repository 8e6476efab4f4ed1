package dev.ron.bench.load;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code wrk --latency} prints.
 *
 * <p>Threading: immutable.
 */
public final class WrkReport {
  private static final Pattern REQUESTS = Pattern.compile("(?m)^ *(\\d+) requests in ");
  private static final Pattern RATE = Pattern.compile("(?m)^Requests/sec: *([0-9.]+)$");
  private static final Pattern STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern SOCKET =
      Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

  private WrkReport() {}

  public static LoadResult parse(String output) throws IOException {
    long errors = 0;
    Matcher status = STATUS.matcher(output);
    if (status.find()) {
      errors += Long.parseLong(status.group(1));
    }
    Matcher socket = SOCKET.matcher(output);
    if (socket.find()) {
      for (int kind = 1; kind <= 4; kind++) {
        errors += Long.parseLong(socket.group(kind));
      }
    }
    return new LoadResult(
        Long.parseLong(found(REQUESTS, output).group(1)),
        Double.parseDouble(found(RATE, output).group(1)),
        percentile(50, output),
        percentile(90, output),
        percentile(99, output),
        errors);
  }

  private static double percentile(int part, String output) throws IOException {
    Matcher line =
        found(Pattern.compile("(?m)^ +" + part + "% +([0-9.]+)(us|ms|s|m|h) *$"), output);
    return Double.parseDouble(line.group(1)) * millis(line.group(2));
  }

  private static double millis(String unit) {
    return switch (unit) {
      case "us" -> 1e-3;
      case "ms" -> 1;
      case "s" -> 1e3;
      case "m" -> 60e3;
      case "h" -> 3600e3;
      default -> throw new IllegalArgumentException(unit);
    };
  }

  private static Matcher found(Pattern pattern, String output) throws IOException {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new IOException("wrk's report lacks " + pattern + ":\n" + output);
    }
    return matcher;
  }
}
