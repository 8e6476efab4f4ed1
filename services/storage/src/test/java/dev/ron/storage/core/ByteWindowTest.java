package dev.ron.storage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ByteWindowTest {
  private static final long SECOND = 1_000_000_000L;

  private record Grant(long at, long bytes) {}

  @Test
  void noSecondHasMoreThanTheRate() {
    Seeds.forEach(
        20,
        (_, random) -> {
          var window = new ByteWindow();
          long rate = 1L << (16 + random.nextInt(8));
          List<Grant> grants = new ArrayList<>();
          long now = 0;
          while (now < 5 * SECOND) {
            long bytes = 1 + random.nextLong(Math.min(rate / 8, 1 << 16));
            long wait = window.waitNanos(now, bytes, rate);
            if (wait == 0) {
              grants.add(new Grant(now, bytes));
            } else {
              now += wait;
            }
            now += random.nextInt(20) == 0 ? random.nextLong(2 * SECOND) : random.nextLong(1000);
          }
          for (int from = 0; from < grants.size(); from++) {
            long sum = 0;
            for (int to = from;
                to < grants.size() && grants.get(to).at() - grants.get(from).at() < SECOND;
                to++) {
              sum += grants.get(to).bytes();
            }
            assertThat(sum).isLessThanOrEqualTo(rate);
          }
        });
  }

  @Test
  void aCallerThatWaitsAsToldIsLetThrough() {
    var window = new ByteWindow();
    long now = 0;
    long moved = 0;
    int refusals = 0;
    while (now < 10 * SECOND) {
      long wait = window.waitNanos(now, 4096, 1 << 20);
      if (wait == 0) {
        moved += 4096;
        refusals = 0;
      } else {
        assertThat(++refusals).as("waits in a row").isLessThan(3);
        now += wait;
      }
    }
    assertThat(moved).isBetween(9L << 20, 10L << 20);
  }

  @Test
  void aRateThatFellCountsWhatWasMovedBefore() {
    var window = new ByteWindow();
    for (int i = 0; i < 8; i++) {
      assertThat(window.waitNanos(i * SECOND / 8, 8000, 64_000)).isZero();
    }
    assertThat(window.waitNanos(SECOND - 1, 1000, 8_000)).isPositive();
    assertThat(window.waitNanos(3 * SECOND, 1000, 8_000)).isZero();
  }
}
