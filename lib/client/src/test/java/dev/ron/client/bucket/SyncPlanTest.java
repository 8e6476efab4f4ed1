package dev.ron.client.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.client.bucket.SyncPlan.Side;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SyncPlanTest {
  private static final String A = "a".repeat(32);
  private static final String B = "b".repeat(32);

  private static final String LATE = "\uFFFD";
  private static final String SMILE = "\uD83D\uDE00";

  /** Size, tag and time of both sides; A and B are MD5s, P one of parts, empty is a file. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | A  | 9 | 2 | A  | 9 | COPY
          1 | A  | 9 | 1 | A  | 1 | LEAVE
          1 | A  | 1 | 1 | B  | 9 | COPY
          1 | P  | 1 | 1 | A  | 9 | LEAVE
          1 | P  | 9 | 1 | A  | 1 | COPY
          1 |    | 1 | 1 | A  | 2 | LEAVE
          1 |    | 2 | 1 | A  | 1 | COMPARE
          1 |    | 2 | 1 | P  | 1 | COPY
          1 | A  | 1 | 1 |    | 1 | LEAVE
          1 | A  | 2 | 1 |    | 1 | COMPARE
          1 | P  | 2 | 1 |    | 1 | COPY
          """)
  void theStepFollowsFromBothSides(
      long size, String tag, long time, long size2, String tag2, long time2, SyncPlan.Step step) {
    assertThat(SyncPlan.decide(side(size, tag, time), side(size2, tag2, time2))).isEqualTo(step);
  }

  @Test
  void namesAreOrderedAsAServerListsThem() {
    assertThat(Stream.of("b", "a/b", "a", "ab", SMILE, LATE).sorted(SyncPlan.KEY_ORDER))
        .as("by bytes: UTF-16 would put the smile before the other")
        .containsExactly("a", "a/b", "ab", "b", LATE, SMILE);
  }

  private static Side side(long size, String tag, long time) {
    String etag =
        switch (tag == null ? "" : tag) {
          case "A" -> A;
          case "B" -> B;
          case "P" -> A + "-2";
          default -> "";
        };
    return new Side(size, etag, Instant.ofEpochSecond(time));
  }
}
