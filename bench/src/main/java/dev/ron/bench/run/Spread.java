package dev.ron.bench.run;

import java.util.Arrays;

/**
 * How a handful of readings lie: median, quartiles, extremes.
 *
 * <p>Medians and quartiles, because one reading disturbed by a neighbour must not move the result.
 * Quartiles between two readings are interpolated linearly.
 *
 * <p>Threading: immutable.
 */
public record Spread(
    int count, double min, double lowerQuartile, double median, double upperQuartile, double max) {

  public static Spread of(double... readings) {
    if (readings.length == 0) {
      throw new IllegalArgumentException("no readings");
    }
    double[] sorted = readings.clone();
    Arrays.sort(sorted);
    // Infinities and NaN sort to the ends.
    if (!Double.isFinite(sorted[0]) || !Double.isFinite(sorted[sorted.length - 1])) {
      throw new IllegalArgumentException("not all finite: " + Arrays.toString(readings));
    }
    return new Spread(
        sorted.length,
        sorted[0],
        quantile(sorted, 0.25),
        quantile(sorted, 0.5),
        quantile(sorted, 0.75),
        sorted[sorted.length - 1]);
  }

  /**
   * The spread of ours divided by the peer's, round by round. The median of these ratios is the
   * result, never the ratio of two medians: a slow minute of the machine lies in both halves of a
   * round and cancels out, but would not between two medians taken from different rounds.
   */
  public static Spread ofRatios(double[] ours, double[] peer) {
    if (ours.length != peer.length) {
      throw new IllegalArgumentException(ours.length + " readings of ours, " + peer.length);
    }
    double[] ratios = new double[ours.length];
    Arrays.setAll(ratios, i -> ours[i] / peer[i]);
    return of(ratios);
  }

  /** The middle half's width as a part of the median; 0 when all readings are the same. */
  public double relativeInterquartileRange() {
    double width = upperQuartile - lowerQuartile;
    // Equal ratios of unequal readings differ in the last bit, which is no spread.
    return width <= 1e-12 * Math.abs(median) ? 0 : width / Math.abs(median);
  }

  /** The smallest reading that at least {@code part} of the sorted readings do not exceed. */
  public static long percentile(long[] sorted, double part) {
    if (sorted.length == 0 || part <= 0 || part > 1) {
      throw new IllegalArgumentException(part + " of " + sorted.length + " readings");
    }
    return sorted[(int) Math.ceil(part * sorted.length) - 1];
  }

  private static double quantile(double[] sorted, double part) {
    double position = part * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
