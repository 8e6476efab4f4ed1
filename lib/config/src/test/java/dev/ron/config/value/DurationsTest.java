package dev.ron.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Seed;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
  private static final String HINT =
      "must be a duration: a whole number and a unit (ms, s, m, h, d), as in 250ms or 5s";

  @ParameterizedTest
  @CsvSource({
    "250ms, PT0.25S, 250ms",
    "5s, PT5S, 5s",
    "60s, PT1M, 1m",
    "90s, PT90S, 90s",
    "10m, PT10M, 10m",
    "24h, PT24H, 1d",
    "7d, PT168H, 7d",
    "0s, PT0S, 0s",
    "0d, PT0S, 0s",
    "007s, PT7S, 7s",
    "1500us, PT0.0015S, 1500us",
    "1ns, PT0.000000001S, 1ns",
    "36500d, PT876000H, 36500d",
  })
  void goodForms(String text, Duration duration, String formatted) {
    assertThat(Durations.parse(text)).isEqualTo(duration);
    assertThat(Durations.format(duration)).isEqualTo(formatted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "HINT",
      textBlock =
          """
          ''                     | HINT
          5                      | HINT
          s                      | HINT
          -5s                    | HINT
          +5s                    | HINT
          5 s                    | HINT
          ' 5s'                  | HINT
          1.5s                   | HINT
          5S                     | HINT
          5sec                   | HINT
          1h30m                  | HINT
          ٣s                     | HINT
          99999999999999999999s  | HINT
          9999999999999999999s   | must not be longer than 36500d
          36501d                 | must not be longer than 36500d
          999999999999999999d    | must not be longer than 36500d
          """)
  void badForms(String text, String why) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why == null ? HINT : why);
  }

  @ParameterizedTest
  @CsvSource({
    "PT5S, '; ISO 8601 forms are not read, write 5s'",
    "PT1H30M, '; ISO 8601 forms are not read, write 90m'",
    "P1D, '; ISO 8601 forms are not read, write 1d'",
    "P1Y, '; ISO 8601 forms are not read'",
    "PT, '; ISO 8601 forms are not read'",
    "PT-5S, '; ISO 8601 forms are not read'",
    "P99999D, '; ISO 8601 forms are not read'",
  })
  void isoFormsAreRefusedWithWhatToWriteInstead(String text, String hint) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(HINT + hint);
  }

  @Test
  void aFlagIsNamedWithWhatWasGiven() {
    assertThat(Durations.ofFlag("--for", "10m")).isEqualTo(Duration.ofMinutes(10));
    assertThatThrownBy(() -> Durations.ofFlag("--for", "5x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--for 5x: must be a duration: ");
  }

  @Test
  void whatIsFormattedIsReadBack() {
    var seed = Seed.fresh();
    var random = seed.random();
    for (int i = 0; i < 20_000; i++) {
      // Shifting by a random number of bits gives short and long durations alike.
      long nanos = (random.nextLong() >>> 1 >>> random.nextInt(63)) % Durations.MAX.toNanos();
      long round = nanos - nanos % new long[] {1, 1_000_000, 1_000_000_000}[random.nextInt(3)];
      var duration = Duration.ofNanos(round);
      assertThat(Durations.parse(Durations.format(duration)))
          .as(seed.toString())
          .isEqualTo(duration);
    }
  }
}
