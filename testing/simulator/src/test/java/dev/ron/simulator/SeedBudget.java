package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/** Plays seeds for as long as there is time, one at least. */
final class SeedBudget {
  private static final int FIRST_MAX = 1_000_000_000;

  private SeedBudget() {}

  /** As many seeds as fit, from 1 or {@code -Dron.seed.from} on; {@code -Dron.seed} is one. */
  static void forSeconds(int seconds, Scenario scenario) {
    forSeconds(seconds, scenario, Long.getLong("ron.seed.from", 1));
  }

  /**
   * The same from a seed that is another one in each run, so that runs do not look at the same
   * seeds again; it is told, and {@code -Dron.seed.from} begins there again.
   */
  static void forSecondsAnywhere(int seconds, Scenario scenario) {
    Long told = Long.getLong("ron.seed.from");
    long first = told == null ? new SecureRandom().nextInt(FIRST_MAX) : told;
    System.out.printf(
        "%s: %d s of seeds from %d on; again with -Dron.seed.from=%d%n",
        scenario.name(), seconds, first, first);
    forSeconds(seconds, scenario, first);
  }

  private static void forSeconds(int seconds, Scenario scenario, long from) {
    Long only = Long.getLong("ron.seed");
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    long seed = only == null ? from : only;
    do {
      SeedRun run = SeedRun.of(scenario, seed, Seams.NONE);
      assertThat(run.violation())
          .as(
              "%s; repeat it with ./ron simulate --scenario %s --seed %d",
              run.violation(), scenario.name(), seed)
          .isEmpty();
      seed++;
    } while (only == null && System.nanoTime() < end);
  }

  /** The first seed of so many under which a planted bug shows. */
  static Optional<SeedRun> firstFailure(Scenario scenario, Seams seams, int seeds) {
    for (long seed = 1; seed <= seeds; seed++) {
      SeedRun run = SeedRun.of(scenario, seed, seams);
      if (run.violation().isPresent()) {
        return Optional.of(run);
      }
    }
    return Optional.empty();
  }
}
