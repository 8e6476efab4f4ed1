package dev.ron.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {
  private static final String HINT =
      "must be a size: a whole number and a unit (B, KB, KiB, MB, MiB, GB, GiB, TB, TiB), as in 64KiB";

  @ParameterizedTest
  @CsvSource({
    "0B, 0, 0B",
    "0GiB, 0, 0B",
    "1B, 1, 1B",
    "1KB, 1000, 1KB",
    "64KiB, 65536, 64KiB",
    "1024KiB, 1048576, 1MiB",
    "1MB, 1000000, 1MB",
    "10GB, 10000000000, 10GB",
    "10GiB, 10737418240, 10GiB",
    "2TB, 2000000000000, 2TB",
    "8388607TiB, 9223370937343148032, 8388607TiB",
    "9223372036854775807B, 9223372036854775807, 9223372036854775807B",
    "1024000B, 1024000, 1000KiB",
  })
  void goodForms(String text, long bytes, String formatted) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    assertThat(new ByteSize(bytes)).hasToString(formatted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                    | HINT
          1024                  | HINT
          KiB                   | HINT
          -1B                   | HINT
          1.5GiB                | HINT
          1 KiB                 | HINT
          1k                    | HINT
          1KiBs                 | HINT
          1kib                  | HINT; write KiB
          1kB                   | HINT; write KB
          1mib                  | HINT; write MiB
          8388608TiB            | must be less than 8388608TiB
          9223372036854775808B  | must be less than 8388608TiB
          99999999999999999999B | HINT
          """)
  void badForms(String text, String why) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why.replace("HINT", HINT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          50MiB/s | 52428800
          0B/s    | 0
          1KB/s   | 1000
          """)
  void goodRates(String text, long bytesPerSecond) {
    assertThat(ByteRate.parse(text)).isEqualTo(new ByteRate(bytesPerSecond)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          50MiB   | must be a rate: a size and /s, as in 50MiB/s
          50MiB/m | must be a rate: a size and /s, as in 50MiB/s
          50/s    | HINT
          /s      | HINT
          1B/s/s  | HINT
          """)
  void badRates(String text, String why) {
    assertThatThrownBy(() -> ByteRate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why.replace("HINT", HINT));
  }

  @Test
  void whatIsFormattedIsReadBack() {
    var seed = Seed.fresh();
    var random = seed.random();
    for (int i = 0; i < 20_000; i++) {
      long bytes = random.nextLong() >>> 1 >>> random.nextInt(63);
      long step = new long[] {1, 1000, 1024, 1_000_000, 1 << 20}[random.nextInt(5)];
      var size = new ByteSize(bytes - bytes % step);
      assertThat(ByteSize.parse(size.toString())).as(seed.toString()).isEqualTo(size);
      var rate = new ByteRate(size.bytes());
      assertThat(ByteRate.parse(rate.toString())).as(seed.toString()).isEqualTo(rate);
    }
  }

  @Test
  void noSizeOrRateIsNegative() {
    assertThatThrownBy(() -> new ByteSize(-1)).hasMessage("bytes = -1 must not be negative");
    assertThatThrownBy(() -> new ByteRate(-1))
        .hasMessage("bytesPerSecond = -1 must not be negative");
  }
}
