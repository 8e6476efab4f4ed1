package dev.ron.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorrelationIdTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a                                    | taken
          018f3c2e-7b1a-7c3d-9e4f-001122334455 | taken
          A.b_c-1                              | taken
          ``                                   | made
          a b                                  | made
          a,b                                  | made
          a:b                                  | made
          "a"                                  | made
          a/b                                  | made
          é                                    | made
          """)
  void onlyAHarmlessOneIsTaken(String given, String what) {
    String id = CorrelationId.takeOrMake(given, Instant.EPOCH, new SplittableRandom(1));
    assertThat(id.equals(given) ? "taken" : "made").isEqualTo(what);
  }

  @Test
  void aLongOneAndNoneAreReplaced() {
    String longest = "x".repeat(CorrelationId.CHARS_MAX);
    assertThat(CorrelationId.isHarmless(longest)).isTrue();
    assertThat(CorrelationId.isHarmless(longest + "x")).isFalse();
    assertThat(CorrelationId.takeOrMake(null, Instant.EPOCH, new SplittableRandom(1))).hasSize(36);
  }

  @Test
  void aMadeOneIsAVersion7UuidOfItsMillisecond() {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 1000; i++) {
      Instant now = Instant.ofEpochMilli(random.nextLong(1L << 47));
      UUID id = UUID.fromString(CorrelationId.make(now, random));
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
      assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(now.toEpochMilli());
    }
  }
}
