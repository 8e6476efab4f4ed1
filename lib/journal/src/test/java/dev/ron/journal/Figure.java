package dev.ron.journal;

import java.util.Arrays;
import java.util.Locale;

/**
 * One measured case: durable appends per second over its rounds.
 *
 * <p>Threading: immutable.
 *
 * @param ratio the median over rounds of ours by this one in the same round; 1 for ours
 */
public record Figure(
    String name, int appenders, double median, double least, double most, double ratio) {
  static Figure of(String name, int appenders, double[] rates, double[] ours) {
    double[] ratios = new double[rates.length];
    Arrays.setAll(ratios, i -> ours[i] / rates[i]);
    Arrays.sort(ratios);
    double[] sorted = rates.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return new Figure(
        name, appenders, sorted[middle], sorted[0], sorted[sorted.length - 1], ratios[middle]);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-24s %3d appenders %8.0f /s  (%.0f to %.0f)  ours by this %.2f",
        name,
        appenders,
        median,
        least,
        most,
        ratio);
  }
}
