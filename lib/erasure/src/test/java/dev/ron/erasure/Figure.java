package dev.ron.erasure;

import java.util.Arrays;
import java.util.Locale;

/**
 * One measured case: the rates of its rounds, in gigabytes of data per second.
 *
 * <p>Threading: immutable.
 *
 * @param ratio the median over rounds of this case's rate by the yardstick's rate of the same
 *     round; NaN where there is no yardstick
 */
public record Figure(String name, double median, double least, double most, double ratio) {
  static Figure of(String name, double[] rates, double[] yardstick) {
    double[] ratios = new double[rates.length];
    Arrays.setAll(ratios, i -> yardstick.length == 0 ? Double.NaN : rates[i] / yardstick[i]);
    double[] sorted = rates.clone();
    Arrays.sort(sorted);
    Arrays.sort(ratios);
    int middle = sorted.length / 2;
    return new Figure(name, sorted[middle], sorted[0], sorted[sorted.length - 1], ratios[middle]);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-36s %7.2f GB/s  (%.2f to %.2f)  %s of ISA-L",
        name,
        median,
        least,
        most,
        Double.isNaN(ratio) ? "n/a" : String.format(Locale.ROOT, "%.2f", ratio));
  }
}
