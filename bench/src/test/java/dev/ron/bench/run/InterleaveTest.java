package dev.ron.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterleaveTest {
  /** Only the sides make this clock move. */
  private long nanos;

  private final StringBuilder turns = new StringBuilder();

  private Side<Long> side(String letter, long seconds) {
    return () -> {
      turns.append(letter);
      nanos += TimeUnit.SECONDS.toNanos(seconds);
      return seconds;
    };
  }

  private Interleave interleave(int warmups, int rounds, long limitSeconds) {
    return new Interleave(
        warmups,
        rounds,
        Duration.ofSeconds(limitSeconds),
        Interleave.Order.alternating(),
        () -> nanos);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # warm-ups | rounds | limit | ours s | peer s | turns       | measured | cut short
          0          | 4      | 100   | 1      | 1      | op po op po | 4        | false
          1          | 3      | 100   | 1      | 1      | op po op po | 3        | false
          0          | 9      | 8     | 1      | 1      | op po op po | 4        | true
          0          | 9      | 7     | 1      | 1      | op po op    | 3        | true
          3          | 3      | 8     | 1      | 1      | op po op po | 1        | true
          5          | 3      | 4     | 1      | 1      | op po       | 1        | true
          0          | 3      | 1     | 5      | 5      | op          | 1        | true
          2          | 3      | 1     | 5      | 5      | op op       | 1        | true
          0          | 2      | 4     | 1      | 1      | op po       | 2        | false
          """)
  void roundsAlternateWithinTheLimit(
      int warmups,
      int rounds,
      long limit,
      long ours,
      long peer,
      String expected,
      int measured,
      boolean cutShort)
      throws Exception {
    Rounds<Long> result = interleave(warmups, rounds, limit).run(side("o", ours), side("p", peer));
    assertThat(turns.toString()).isEqualTo(expected.replace(" ", ""));
    assertThat(result.count()).isEqualTo(measured);
    assertThat(result.cutShort()).isEqualTo(cutShort);
    assertThat(result.hasPeer()).isTrue();
  }

  @Test
  void readingsLandOnTheirOwnSideWhoeverWentFirst() throws Exception {
    Rounds<Long> result = interleave(0, 4, 100).run(side("o", 1), side("p", 2));
    assertThat(result.ours(Long::doubleValue)).containsOnly(1);
    assertThat(result.peer(Long::doubleValue)).containsOnly(2);
  }

  @Test
  void withoutAPeerOursRunsAlone() throws Exception {
    Rounds<Long> result = interleave(1, 3, 100).run(side("o", 1), null);
    assertThat(turns).hasToString("oooo");
    assertThat(result.hasPeer()).isFalse();
  }

  @Test
  void aRandomOrderIsFixedByItsSeedAndFair() {
    for (long seed = 0; seed < 20; seed++) {
      var order = Interleave.Order.random(seed);
      int oursFirst = 0;
      for (int round = 0; round < 1000; round++) {
        assertThat(order.oursFirst(round))
            .isEqualTo(Interleave.Order.random(seed).oursFirst(round));
        oursFirst += order.oursFirst(round) ? 1 : 0;
      }
      assertThat(oursFirst).as("seed %d", seed).isBetween(400, 600);
    }
  }

  @Test
  void aFailingSideEndsTheRun() {
    assertThatThrownBy(
            () ->
                interleave(0, 3, 100)
                    .run(
                        side("o", 1),
                        () -> {
                          throw new IOException("broken pipe");
                        }))
        .hasMessage("broken pipe");
    assertThat(turns).hasToString("o");
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> interleave(-1, 1, 1)).hasMessageContaining("warmupRounds -1");
    assertThatThrownBy(() -> interleave(0, 0, 1)).hasMessageContaining("rounds 0");
    assertThatThrownBy(() -> interleave(0, 1, 0)).hasMessageContaining("limit");
  }
}
