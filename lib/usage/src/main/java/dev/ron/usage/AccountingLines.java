package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Usage as accounting: one {@code {"actor","metric","units"}} in each line, which is what the
 * rewarder reads. The same usage is the same bytes on every machine.
 *
 * <p>Threading: stateless.
 */
public final class AccountingLines {
  private static final Set<String> FIELDS = Set.of("actor", "metric", "units");

  private AccountingLines() {}

  public static byte[] write(SortedMap<UsageKey, Long> units) {
    var text = new StringBuilder();
    units.forEach(
        (key, count) -> {
          var line = new LinkedHashMap<String, Object>();
          line.put("actor", key.tenant());
          line.put("metric", key.metric());
          // Digits in quotes: past 2^53 a number has no one spelling.
          line.put("units", Long.toString(count));
          text.append(CanonicalJson.text(line)).append('\n');
        });
    return text.toString().getBytes(UTF_8);
  }

  /** Throws {@link IOException} for anything that {@link #write} does not write. */
  public static SortedMap<UsageKey, Long> read(byte[] lines) throws IOException {
    var units = new TreeMap<UsageKey, Long>();
    for (String line : new String(lines, UTF_8).lines().toList()) {
      try {
        Map<String, @Nullable Object> fields = JsonTree.object(line.getBytes(UTF_8));
        if (!fields.keySet().equals(FIELDS)
            || !(fields.get("actor") instanceof String actor)
            || !(fields.get("metric") instanceof String metric)
            || !(fields.get("units") instanceof String count)) {
          throw new IOException("line %d is no account".formatted(units.size() + 1));
        }
        if (units.put(new UsageKey(actor, metric), Long.parseLong(count)) != null) {
          throw new IOException("line %d repeats an account".formatted(units.size() + 1));
        }
      } catch (Refusal | NumberFormatException wrong) {
        throw new IOException("line %d is no account".formatted(units.size() + 1), wrong);
      }
    }
    return units;
  }

  /** The sum of each metric over all tenants, in digits. */
  static SortedMap<String, String> counts(SortedMap<UsageKey, Long> units) {
    var sums = new TreeMap<String, BigInteger>();
    units.forEach(
        (key, count) -> sums.merge(key.metric(), BigInteger.valueOf(count), BigInteger::add));
    var counts = new TreeMap<String, String>();
    sums.forEach((metric, sum) -> counts.put(metric, sum.toString()));
    return counts;
  }
}
