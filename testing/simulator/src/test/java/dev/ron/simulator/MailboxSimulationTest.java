package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import dev.ron.simulator.mailbox.MailboxScenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mailbox keeps its promises under every seed. */
class MailboxSimulationTest {
  private static final Scenario MAILBOX = new MailboxScenario();

  @Test
  void keepsItsPromises() {
    SeedBudget.forSeconds(4, MAILBOX);
  }

  @Test
  @Tag("long")
  void keepsItsPromisesForLong() {
    SeedBudget.forSecondsAnywhere(540, MAILBOX);
  }

  @Test
  void aSeedIsOneRun() {
    SeedRun once = SeedRun.of(MAILBOX, 7, Seams.NONE);
    SeedRun again = SeedRun.of(MAILBOX, 7, Seams.NONE);
    SeedRun another = SeedRun.of(MAILBOX, 8, Seams.NONE);
    assertThat(again.trace()).isEqualTo(once.trace()).isNotEqualTo(another.trace());
    assertThat(once.turns()).isEqualTo(again.turns()).isGreaterThan(1000);
  }
}
