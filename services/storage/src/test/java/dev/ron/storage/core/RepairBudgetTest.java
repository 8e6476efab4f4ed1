package dev.ron.storage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RepairBudgetTest {
  private static final long FULL = 50L << 20;

  @Test
  void itShrinksWhileReadsSufferAndGrowsBackAfterwards() {
    RepairBudget budget = RepairBudget.full(FULL);
    for (int i = 0; i < 5; i++) {
      budget = budget.next(millis(2));
    }
    assertThat(budget.bytesPerSecond()).isEqualTo(FULL);
    RepairBudget suffering = budget.next(millis(40));
    assertThat(suffering.bytesPerSecond()).isEqualTo(FULL / 2);
    for (int i = 0; i < 20; i++) {
      suffering = suffering.next(millis(40));
    }
    assertThat(suffering.bytesPerSecond()).as("never nothing").isEqualTo(FULL / 16);
    RepairBudget calm = suffering;
    for (int i = 0; i < 20; i++) {
      calm = calm.next(millis(2));
    }
    assertThat(calm.bytesPerSecond()).isEqualTo(FULL);
  }

  @Test
  void fastReadsAreNobodysTroubleAndNoReadsLetItGrow() {
    RepairBudget budget = RepairBudget.full(FULL).next(100_000).next(millis(4));
    assertThat(budget.bytesPerSecond()).as("forty times slower and still fast").isEqualTo(FULL);
    RepairBudget low = new RepairBudget(FULL, FULL / 16, millis(1));
    for (int i = 0; i < 20; i++) {
      low = low.next(0);
    }
    assertThat(low.bytesPerSecond()).isEqualTo(FULL);
  }

  @Test
  void whateverHappensItStaysWithinItsBounds() {
    Seeds.forEach(
        50,
        (_, random) -> {
          RepairBudget budget = RepairBudget.full(1 + random.nextInt(1 << 30));
          for (int i = 0; i < 500; i++) {
            budget = budget.next(random.nextInt(3) == 0 ? 0 : random.nextLong(1L << 40));
            assertThat(budget.bytesPerSecond())
                .isBetween(
                    Math.max(1, budget.fullBytesPerSecond() / 16), budget.fullBytesPerSecond());
          }
        });
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
