package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import dev.ron.simulator.storage.StorageScenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storage keeps its promises under every seed. */
@Timeout(700)
class StorageSimulationTest {
  private static final Scenario STORAGE = new StorageScenario();

  @Test
  void keepsItsPromises() {
    SeedBudget.forSeconds(4, STORAGE);
  }

  @Test
  void isTheSameRunForTheSameSeed() {
    SeedRun run = SeedRun.of(STORAGE, 3, Seams.NONE);
    SeedRun again = SeedRun.of(STORAGE, 3, Seams.NONE);
    assertThat(again.trace()).isEqualTo(run.trace());
    assertThat(again.turns()).isEqualTo(run.turns());
  }

  @Test
  @Tag("long")
  void keepsItsPromisesForLong() {
    SeedBudget.forSecondsAnywhere(540, STORAGE);
  }
}
