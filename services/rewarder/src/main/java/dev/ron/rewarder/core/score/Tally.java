package dev.ron.rewarder.core.score;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Wide;
import org.jspecify.annotations.Nullable;

/**
 * Adds up lines of accounting: {@code units * weight}, by actor and pool.
 *
 * <p>A scanner passes each line to it. A line whose value is wrong marks its actor or stops the
 * scan, as the policy says.
 *
 * <p>Threading: owned by one worker.
 */
public final class Tally {
  /** What {@link #metric} answers for a name that the policy does not have. */
  public static final int UNKNOWN = MetricTable.UNKNOWN;

  /** Units have fewer bits. */
  static final int UNITS_BITS = 96;

  /** A number of this many digits fits a long. */
  private static final int LONG_DIGITS = 18;

  private final MetricTable metrics;
  private final boolean holds;
  private final boolean passesUnknown;
  private final ScoreParts scores;
  private long lines;

  /**
   * @param memoryBytes what its scores are meant to take
   */
  public Tally(Policy policy, long memoryBytes) {
    this(policy, memoryBytes, false);
  }

  /**
   * @param passesUnknown whether a metric without a weight counts nothing instead of being a bad
   *     line
   */
  public Tally(Policy policy, long memoryBytes, boolean passesUnknown) {
    this.passesUnknown = passesUnknown;
    this.metrics = new MetricTable(policy);
    this.holds = policy.holdsBadLines();
    this.scores = new ScoreParts(policy.pools().size(), memoryBytes);
  }

  /** Of all lines that were added so far. */
  public ScoreParts scores() {
    scores.settle();
    return scores;
  }

  /** What the scores take now, without bringing them up to date. */
  public long bytes() {
    return scores.bytes();
  }

  public long lines() {
    return lines;
  }

  /** The number of a metric, for lines that come by it, or {@link #UNKNOWN}. */
  public int metric(byte[] buffer, int metricFrom, int metricTo) {
    return metrics.find(buffer, metricFrom, metricTo);
  }

  /**
   * One line, as places in a buffer; the actor has been found to be one.
   *
   * @return why the run ends here, or null to go on
   */
  public @Nullable String line(
      byte[] buffer,
      int actorFrom,
      int actorTo,
      int metricFrom,
      int metricTo,
      int unitsFrom,
      int unitsTo) {
    int metric = metrics.find(buffer, metricFrom, metricTo);
    return line(buffer, actorFrom, actorTo, metric, buffer, unitsFrom, unitsTo);
  }

  /** One line whose metric was looked up and whose units are text. */
  public @Nullable String line(
      byte[] buffer,
      int actorFrom,
      int actorTo,
      int metric,
      byte[] units,
      int unitsFrom,
      int unitsTo) {
    if (metric == UNKNOWN && passesUnknown) {
      return unweighed(buffer, actorFrom, actorTo);
    }
    BadLine bad = metric == UNKNOWN ? BadLine.UNKNOWN_METRIC : wrong(units, unitsFrom, unitsTo);
    if (bad != null) {
      lines++;
      return bad(bad, buffer, actorFrom, actorTo);
    }
    int digits = unitsTo - unitsFrom;
    if (digits <= LONG_DIGITS) {
      long value = 0;
      for (int i = unitsFrom; i < unitsTo; i++) {
        value = value * 10 + units[i] - '0';
      }
      line(buffer, actorFrom, actorTo, metric, value);
      return null;
    }
    // What is too long to be read is too large to be units.
    Wide value = Wide.parse(new String(units, unitsFrom, digits, US_ASCII)).orElse(Wide.MAX);
    return line(buffer, actorFrom, actorTo, metric, value.high(), value.low());
  }

  /** One line whose units are a number, negative by its high bit. */
  public @Nullable String line(
      byte[] buffer, int actorFrom, int actorTo, int metric, long unitsHigh, long unitsLow) {
    if (metric != UNKNOWN && unitsHigh == 0 && unitsLow >= 0) {
      line(buffer, actorFrom, actorTo, metric, unitsLow);
      return null;
    }
    if (metric == UNKNOWN && passesUnknown) {
      return unweighed(buffer, actorFrom, actorTo);
    }
    lines++;
    BadLine bad =
        metric == UNKNOWN
            ? BadLine.UNKNOWN_METRIC
            : unitsHigh < 0
                ? BadLine.NEGATIVE
                : unitsHigh >>> (UNITS_BITS - Long.SIZE) != 0 ? BadLine.OVERFLOW : null;
    if (bad != null) {
      return bad(bad, buffer, actorFrom, actorTo);
    }
    // Below 2^96 times below 2^31: this cannot overflow.
    Wide product = new Wide(unitsHigh, unitsLow).times(metrics.weight(metric));
    scores.add(
        buffer,
        actorFrom,
        actorTo - actorFrom,
        metrics.pool(metric),
        product.high(),
        product.low());
    return null;
  }

  /** The actor is known, and gets nothing for this. */
  private @Nullable String unweighed(byte[] buffer, int actorFrom, int actorTo) {
    lines++;
    scores.add(buffer, actorFrom, actorTo - actorFrom, 0, 0, 0);
    return null;
  }

  /** One line with a known metric and units from 0 on: the usual one. */
  public void line(byte[] buffer, int actorFrom, int actorTo, int metric, long units) {
    lines++;
    long weight = metrics.weight(metric);
    scores.add(
        buffer,
        actorFrom,
        actorTo - actorFrom,
        metrics.pool(metric),
        Math.unsignedMultiplyHigh(units, weight),
        units * weight);
  }

  /** Sums by the numbers of a dictionary, to be passed to {@link #add}. */
  public DictionarySums sums(int dictionarySize) {
    return new DictionarySums(metrics, scores.pools(), dictionarySize);
  }

  /** An actor's sums from a dictionary; their lines count. */
  public void add(DictionarySums sums, int number, byte[] buffer, int actorFrom, int actorTo) {
    for (int pool = 0; pool < scores.pools(); pool++) {
      scores.add(
          buffer,
          actorFrom,
          actorTo - actorFrom,
          pool,
          sums.high(number, pool),
          sums.low(number, pool));
    }
    lines += sums.lines(number);
  }

  private @Nullable String bad(BadLine bad, byte[] buffer, int actorFrom, int actorTo) {
    if (!holds) {
      return bad.code() + ": " + bad.words();
    }
    scores.addBadLines(buffer, actorFrom, actorTo - actorFrom, bad.bit());
    return null;
  }

  /** Null for decimal digits without a leading zero. */
  private static @Nullable BadLine wrong(byte[] buffer, int from, int to) {
    boolean negative = to - from > 1 && buffer[from] == '-';
    int first = negative ? from + 1 : from;
    if (first == to || (buffer[first] == '0' && to - first > 1)) {
      return BadLine.NOT_A_NUMBER;
    }
    for (int i = first; i < to; i++) {
      if (buffer[i] < '0' || buffer[i] > '9') {
        return BadLine.NOT_A_NUMBER;
      }
    }
    return negative ? BadLine.NEGATIVE : null;
  }
}
