package dev.ron.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpreadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # readings        | min | lower | median | upper | max | relative range
          5                 | 5   | 5     | 5      | 5     | 5   | 0
          4 2               | 2   | 2.5   | 3      | 3.5   | 4   | 0.333333
          3 1 2             | 1   | 1.5   | 2      | 2.5   | 3   | 0.5
          9 1 2 3           | 1   | 1.75  | 2.5    | 4.5   | 9   | 1.1
          1 2 3 4 5         | 1   | 2     | 3      | 4     | 5   | 0.666667
          1 2 3 4 500       | 1   | 2     | 3      | 4     | 500 | 0.666667
          7 7 7 7           | 7   | 7     | 7      | 7     | 7   | 0
          0 0 0             | 0   | 0     | 0      | 0     | 0   | 0
          -1 -2 -3          | -3  | -2.5  | -2     | -1.5  | -1  | 0.5
          """)
  void readingsAreSummedUp(
      String readings,
      double min,
      double lower,
      double median,
      double upper,
      double max,
      double relative) {
    Spread spread = Spread.of(doubles(readings));
    assertThat(spread)
        .isEqualTo(new Spread(doubles(readings).length, min, lower, median, upper, max));
    assertThat(spread.relativeInterquartileRange()).isCloseTo(relative, within(1e-6));
  }

  @Test
  void theRatioIsTheMedianOfTheRoundsAndNotTheRatioOfTheMedians() {
    // The machine was ten times slower in the last two rounds; ours was half as fast in all.
    double[] ours = {50, 50, 50, 5, 5};
    double[] peer = {100, 100, 100, 10, 10};
    assertThat(Spread.ofRatios(ours, peer).median()).isEqualTo(0.5);
    assertThat(Spread.ofRatios(ours, peer).relativeInterquartileRange()).isZero();

    // Medians of the columns are 3 and 2; of the rounds' ratios, 0.5.
    assertThat(Spread.ofRatios(new double[] {1, 3, 4}, new double[] {2, 1, 8}).median())
        .isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10 20 30 40       | 0.5  | 20
          10 20 30 40       | 0.51 | 30
          10 20 30 40       | 0.99 | 40
          10 20 30 40       | 1    | 40
          10 20 30 40       | 0.01 | 10
          7                 | 0.5  | 7
          """)
  void aPercentileIsAReadingThatWasMade(String readings, double part, long expected) {
    long[] sorted = Arrays.stream(doubles(readings)).mapToLong(value -> (long) value).toArray();
    assertThat(Spread.percentile(sorted, part)).isEqualTo(expected);
  }

  @Test
  void aDifferenceInTheLastBitIsNoSpread() {
    assertThat(Spread.of(1, 1, Math.nextUp(1.0), Math.nextUp(1.0)).relativeInterquartileRange())
        .isZero();
  }

  @Test
  void whatCannotBeSummedUpIsRefused() {
    assertThatThrownBy(Spread::of).hasMessageContaining("no readings");
    assertThatThrownBy(() -> Spread.of(1, Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Spread.of(Double.NEGATIVE_INFINITY, 1)).hasMessageContaining("Inf");
    assertThatThrownBy(() -> Spread.ofRatios(new double[] {1}, new double[] {0}))
        .hasMessageContaining("Inf");
    assertThatThrownBy(() -> Spread.ofRatios(new double[] {1}, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Spread.percentile(new long[0], 0.5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static double[] doubles(String readings) {
    return Arrays.stream(readings.strip().split(" ", -1))
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
