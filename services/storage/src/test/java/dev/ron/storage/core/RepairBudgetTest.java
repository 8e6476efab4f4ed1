package dev.ron.storage.core;

import static dev.ron.storage.core.ReadTimes.Felt.EASE;
import static dev.ron.storage.core.ReadTimes.Felt.IDLE;
import static dev.ron.storage.core.ReadTimes.Felt.TROUBLE;
import static dev.ron.storage.core.ReadTimes.Felt.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RepairBudgetTest {
  private static final long FULL = 64L << 20;
  private static final long PART = FULL / 256;

  /** Rates in 256ths of the full one. */
  @ParameterizedTest
  @CsvSource({
    "256, IDLE,  true,  256",
    "16,  IDLE,  true,  32",
    "160, IDLE,  false, 256",
    "256, UNKNOWN, true,  16",
    "16,  EASE,    true,  17",
    "256, EASE,    true,  256",
    "256, EASE,    false, 16", // what begins, begins slowly
    "256, TROUBLE, true,  128",
    "24,  TROUBLE, true,  16",
    "16,  TROUBLE, true,  16", // never nothing
  })
  void aStep(long before, ReadTimes.Felt felt, boolean moved, long after) {
    RepairBudget next = new RepairBudget(FULL, before * PART).next(felt, moved);
    assertThat(next.bytesPerSecond() / PART).isEqualTo(after);
    assertThat(next.fullBytesPerSecond()).isEqualTo(FULL);
  }

  @Test
  void troubleIsOverInFourStepsAndTrustTakesManyMore() {
    RepairBudget budget = RepairBudget.full(FULL);
    for (int i = 0; i < 4; i++) {
      budget = budget.next(TROUBLE, true);
    }
    assertThat(budget).isEqualTo(RepairBudget.full(FULL).least());
    for (int i = 0; i < 240; i++) {
      budget = budget.next(EASE, true);
    }
    assertThat(budget.share()).isEqualTo(1);
  }

  @Test
  void whateverHappensItStaysWithinItsBounds() {
    Seeds.forEach(
        50,
        (_, random) -> {
          RepairBudget budget = RepairBudget.full(1 + random.nextLong(1L << 50));
          for (int i = 0; i < 500; i++) {
            var felt = new ReadTimes.Felt[] {IDLE, UNKNOWN, EASE, TROUBLE}[random.nextInt(4)];
            budget = budget.next(felt, random.nextBoolean());
            assertThat(budget.bytesPerSecond())
                .isBetween(
                    Math.max(1, budget.fullBytesPerSecond() / 16), budget.fullBytesPerSecond());
          }
        });
  }
}
