package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;

/**
 * Adds up lines of accounting: {@code units * weight}, by actor and pool.
 *
 * <p>It is what a scanner tells each line to. A line whose value is wrong marks its actor or stops
 * the scan, as the policy says.
 *
 * <p>Threading: owned by one worker.
 */
public final class Tally {
  /** Units have fewer bits. */
  static final int UNITS_BITS = 96;

  /** A number of so many digits fits a long. */
  private static final int LONG_DIGITS = 18;

  private final MetricTable metrics;
  private final boolean holds;
  private final ScoreTable scores;
  private final Batch batch = new Batch();
  private long lines;

  /**
   * Lines that were read and not added yet, all from one buffer.
   *
   * <p>A large table is not in the cache, and adding one line after the other waits for memory each
   * time. A batch asks for all its places first, and the waits overlap.
   */
  private static final class Batch {
    static final int LINES = 128;

    byte[] buffer = {};
    int size;
    final int[] from = new int[LINES];
    final int[] length = new int[LINES];
    final int[] hash = new int[LINES];
    final int[] metric = new int[LINES];
    final long[] units = new long[LINES];
  }

  public Tally(Policy policy) {
    this.metrics = new MetricTable(policy);
    this.holds = policy.holdsBadLines();
    this.scores = new ScoreTable(policy.pools().size());
  }

  /** Of all lines that were told so far. */
  public ScoreTable scores() {
    flush();
    return scores;
  }

  public long lines() {
    return lines;
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
    lines++;
    int metric = metrics.find(buffer, metricFrom, metricTo);
    int digits = unitsTo - unitsFrom;
    long units = 0;
    if (digits <= LONG_DIGITS) {
      for (int i = unitsFrom; i < unitsTo; i++) {
        int digit = buffer[i] - '0';
        if (digit < 0 || digit > 9) {
          digits = 0;
          break;
        }
        units = units * 10 + digit;
      }
    }
    if (metric == MetricTable.UNKNOWN
        || digits == 0
        || digits > LONG_DIGITS
        || (buffer[unitsFrom] == '0' && digits > 1)) {
      return unusual(metric, buffer, actorFrom, actorTo, unitsFrom, unitsTo);
    }
    put(buffer, actorFrom, actorTo - actorFrom, metric, units);
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // the same buffer, not an equal one
  private void put(byte[] buffer, int actorFrom, int actorLength, int metric, long units) {
    if (batch.size == Batch.LINES || batch.buffer != buffer) {
      flush();
      batch.buffer = buffer;
    }
    int at = batch.size++;
    batch.from[at] = actorFrom;
    batch.length[at] = actorLength;
    batch.hash[at] = ScoreTable.hash(buffer, actorFrom, actorLength);
    batch.metric[at] = metric;
    batch.units[at] = units;
  }

  /** Adds what was read; before the buffer of the last lines is used for something else. */
  public void flush() {
    scores.approach(batch.hash, batch.size);
    for (int i = 0; i < batch.size; i++) {
      int entry = scores.entry(batch.hash[i], batch.buffer, batch.from[i], batch.length[i]);
      int metric = batch.metric[i];
      long units = batch.units[i];
      long weight = metrics.weight(metric);
      scores.add(
          entry, metrics.pool(metric), Math.unsignedMultiplyHigh(units, weight), units * weight);
    }
    batch.size = 0;
  }

  /** The place of an actor, for lines that come by it; of use until the scores are cleared. */
  public int entry(byte[] buffer, int actorFrom, int actorTo) {
    return scores.entry(buffer, actorFrom, actorTo - actorFrom);
  }

  /** The place of a metric, for lines that come by it. */
  public int metric(byte[] buffer, int metricFrom, int metricTo) {
    return metrics.find(buffer, metricFrom, metricTo);
  }

  /** One line whose names were looked up and whose units are text. */
  public @Nullable String line(int entry, int metric, byte[] units, int from, int to) {
    if (metric == MetricTable.UNKNOWN) {
      lines++;
      return bad(BadLine.UNKNOWN_METRIC, entry);
    }
    BadLine bad = wrong(units, from, to);
    if (bad != null) {
      lines++;
      return bad(bad, entry);
    }
    // What is too long to be read is too large to be units.
    Wide value = Wide.parse(new String(units, from, to - from, US_ASCII)).orElse(Wide.MAX);
    return line(entry, metric, value.high(), value.low());
  }

  /** One line whose names were looked up and whose units are a number, negative by its high bit. */
  public @Nullable String line(int entry, int metric, long unitsHigh, long unitsLow) {
    lines++;
    if (metric == MetricTable.UNKNOWN) {
      return bad(BadLine.UNKNOWN_METRIC, entry);
    }
    if (unitsHigh == 0 && unitsLow >= 0) {
      long weight = metrics.weight(metric);
      scores.add(
          entry,
          metrics.pool(metric),
          Math.unsignedMultiplyHigh(unitsLow, weight),
          unitsLow * weight);
      return null;
    }
    if (unitsHigh < 0) {
      return bad(BadLine.NEGATIVE, entry);
    }
    if (unitsHigh >>> (UNITS_BITS - Long.SIZE) != 0) {
      return bad(BadLine.OVERFLOW, entry);
    }
    add(metric, entry, new Wide(unitsHigh, unitsLow));
    return null;
  }

  /** Long numbers, and lines with something wrong. */
  private @Nullable String unusual(
      int metric, byte[] buffer, int actorFrom, int actorTo, int unitsFrom, int unitsTo) {
    BadLine bad = metric == MetricTable.UNKNOWN ? BadLine.UNKNOWN_METRIC : null;
    Wide units = Wide.ZERO;
    if (bad == null) {
      bad = wrong(buffer, unitsFrom, unitsTo);
    }
    if (bad == null) {
      units =
          Wide.parse(new String(buffer, unitsFrom, unitsTo - unitsFrom, US_ASCII)).orElse(Wide.MAX);
      bad = units.bitLength() > UNITS_BITS ? BadLine.OVERFLOW : null;
    }
    if (bad != null && !holds) {
      return bad.code() + ": " + bad.words();
    }
    int entry = scores.entry(buffer, actorFrom, actorTo - actorFrom);
    if (bad != null) {
      return bad(bad, entry);
    }
    add(metric, entry, units);
    return null;
  }

  private void add(int metric, int entry, Wide units) {
    // Below 2^96 times below 2^31: this cannot overflow.
    Wide product = units.times(metrics.weight(metric));
    scores.add(entry, metrics.pool(metric), product.high(), product.low());
  }

  private @Nullable String bad(BadLine bad, int entry) {
    if (!holds) {
      return bad.code() + ": " + bad.words();
    }
    scores.addBadLines(entry, bad.bit());
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
