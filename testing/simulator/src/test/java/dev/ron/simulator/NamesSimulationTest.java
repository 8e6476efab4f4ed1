package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import dev.ron.simulator.names.NamesScenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** S3's names keep their promises under every seed. */
class NamesSimulationTest {
  private static final Scenario NAMES = new NamesScenario();

  @Test
  void keepTheirPromises() {
    SeedBudget.forSeconds(4, NAMES);
  }

  /**
   * The time is up when the leader has applied a batch that it sent unasked, and others have not.
   */
  @Test
  void areComparedWhenEachMachineHasAppliedTheSame() {
    assertThat(SeedRun.of(NAMES, 14, Seams.NONE).violation()).isEmpty();
  }

  @Test
  void aSeedIsOneRun() {
    SeedRun once = SeedRun.of(NAMES, 7, Seams.NONE);
    SeedRun again = SeedRun.of(NAMES, 7, Seams.NONE);
    SeedRun another = SeedRun.of(NAMES, 8, Seams.NONE);
    assertThat(again.trace()).isEqualTo(once.trace()).isNotEqualTo(another.trace());
    assertThat(once.turns()).isEqualTo(again.turns()).isGreaterThan(1000);
  }

  @Test
  @Tag("long")
  void keepTheirPromisesForLong() {
    SeedBudget.forSecondsAnywhere(540, NAMES);
  }
}
