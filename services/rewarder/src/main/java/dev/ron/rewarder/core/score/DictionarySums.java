package dev.ron.rewarder.core.score;

/**
 * Sums for the actors of a dictionary, by their number in it: no name is looked at for a row.
 *
 * <p>It takes units below 2^63 only. Times a weight below 2^31 that is below 2^94, and a row group
 * has at most 2^24 rows, so no sum here can overflow.
 *
 * <p>Threading: owned by one worker.
 */
public final class DictionarySums {
  private final MetricTable metrics;
  private final int pools;
  private final long[] sums;
  private final int[] lines;

  DictionarySums(MetricTable metrics, int pools, int size) {
    this.metrics = metrics;
    this.pools = pools;
    this.sums = new long[Math.multiplyExact(2 * pools, size)];
    this.lines = new int[size];
  }

  /** One line with a known metric and units from 0 on. */
  public void line(int number, int metric, long units) {
    lines[number]++;
    long weight = metrics.weight(metric);
    int at = 2 * (number * pools + metrics.pool(metric));
    long low = units * weight;
    long sum = sums[at + 1] + low;
    sums[at] +=
        Math.unsignedMultiplyHigh(units, weight) + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
    sums[at + 1] = sum;
  }

  /** How many lines an actor had here; an actor without lines is not passed to the tally. */
  public int lines(int number) {
    return lines[number];
  }

  long high(int number, int pool) {
    return sums[2 * (number * pools + pool)];
  }

  long low(int number, int pool) {
    return sums[2 * (number * pools + pool) + 1];
  }
}
