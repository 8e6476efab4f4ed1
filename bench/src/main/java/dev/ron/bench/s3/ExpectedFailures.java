package dev.ron.bench.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tests of the suite that our door is expected not to pass, each with its reason.
 *
 * <p>Threading: immutable.
 *
 * @param reasons by the name of the test
 */
record ExpectedFailures(Map<String, String> reasons) {
  private static final String FILE = "expected-failures.txt";

  /** A line is a name, a colon and a reason; a line that begins with # says nothing. */
  static ExpectedFailures read() throws IOException {
    try (InputStream in = ExpectedFailures.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IOException(FILE + " is missing from this build");
      }
      return parse(new String(in.readAllBytes(), UTF_8));
    }
  }

  static ExpectedFailures parse(String text) throws IOException {
    var reasons = new TreeMap<String, String>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      String reason = colon < 0 ? "" : line.substring(colon + 1).strip();
      if (reason.isEmpty()) {
        throw new IOException("a test without a reason: " + line);
      }
      if (reasons.put(line.substring(0, colon).strip(), reason) != null) {
        throw new IOException("a test that is listed twice: " + line);
      }
    }
    return new ExpectedFailures(reasons);
  }
}
