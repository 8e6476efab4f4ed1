package dev.ron.kernel.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The three formulas of the seeds: over many draws the delays fill exactly the documented range.
 */
class BackoffTest {
  private static final Backoff MAILBOX =
      new Backoff.FullJitter(Duration.ofMillis(200), Duration.ofSeconds(60));

  @ParameterizedTest(name = "try {0}: {1} to {2} ms")
  @CsvSource({
    "0, 50, 100",
    "1, 100, 150",
    "2, 200, 250",
    "4, 800, 850",
    "9, 800, 850",
    "99, 800, 850"
  })
  void liveFillAddsJitterToTheDoubledBase(int n, long least, long most) {
    var fill = new Backoff.Added(Duration.ofMillis(50), Duration.ofMillis(800), true);
    assertFills(fill, n, least, most);
  }

  @ParameterizedTest(name = "try {0}: {1} ms")
  @CsvSource({"0, 50", "1, 100", "4, 800", "31, 800", "2147483647, 800"})
  void withoutJitterItIsTheDoubledBaseAndSaturates(int n, long millis) {
    var plain = new Backoff.Added(Duration.ofMillis(50), Duration.ofMillis(800), false);
    assertThat(plain.delay(n, new SplittableRandom(n))).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "try {0}: {1} to {2} ms")
  @CsvSource({
    "0, 0, 200",
    "1, 0, 400",
    "8, 0, 51200",
    "9, 0, 60000",
    "62, 0, 60000",
    "64, 0, 60000"
  })
  void fullJitterDrawsFromZeroToTheDoubledBase(int n, long least, long most) {
    assertFills(MAILBOX, n, least, most);
  }

  @ParameterizedTest(name = "try {0}: {1} to {2} ms")
  @CsvSource({"0, 50, 100", "1, 100, 200", "4, 800, 1600", "6, 2000, 2000", "99, 2000, 2000"})
  void callsBetweenServicesScaleAndAreCapped(int n, long least, long most) {
    assertFills(Backoff.rpc(), n, least, most);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Backoff.FullJitter(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessage("backoff from PT2S to PT1S");
  }

  private static void assertFills(Backoff backoff, int n, long leastMillis, long mostMillis) {
    var random = new SplittableRandom(n);
    LongSummaryStatistics micros =
        LongStream.range(0, 20_000)
            .map(_ -> backoff.delay(n, random).toNanos() / 1000)
            .summaryStatistics();
    assertThat(micros.getMin()).isGreaterThanOrEqualTo(leastMillis * 1000);
    assertThat(micros.getMax()).isLessThanOrEqualTo(mostMillis * 1000);
    long margin = (mostMillis - leastMillis) * 10;
    assertThat(micros.getMin()).isLessThanOrEqualTo(leastMillis * 1000 + margin);
    assertThat(micros.getMax()).isGreaterThanOrEqualTo(mostMillis * 1000 - margin);
    assertThat((long) micros.getAverage())
        .isCloseTo(
            (leastMillis + mostMillis) * 500, org.assertj.core.data.Offset.offset(margin * 2 + 1));
  }
}
