package dev.ron.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A failing plan becomes as short as what it takes. */
class SeedRunTest {
  /** Breaks when a key is turned somewhere behind the step that puts it in. */
  private static final Scenario LOCK =
      new Scenario() {
        @Override
        public String name() {
          return "lock";
        }

        @Override
        public Plan plan(long seed) {
          return new Plan.Draft(new SplittableRandom(seed), Duration.ofHours(1))
              .scatter(200, "nothing")
              .scatter(3, "put")
              .scatter(3, "turn")
              .plan(seed);
        }

        @Override
        public void play(Plan plan, Simulation simulation) {
          List<String> done = new ArrayList<>();
          for (PlanStep step : plan.steps()) {
            simulation.scheduler().after(step.at(), Boot.OUTSIDE, () -> happen(step, done));
          }
          simulation.scheduler().run(plan.length());
        }

        private static void happen(PlanStep step, List<String> done) {
          done.add(step.verb());
          if (step.verb().equals("turn") && done.contains("put")) {
            throw new Violation("it is locked", "it is open");
          }
        }
      };

  @Test
  void leavesOutWhatIsNotNeeded() {
    SeedRun run = SeedRun.of(LOCK, 1, Seams.NONE);
    assertThat(run.violation()).isPresent();
    SeedRun shrunk = run.shrunk(LOCK, Seams.NONE);
    assertThat(shrunk.plan().steps().stream().map(PlanStep::verb)).containsExactly("put", "turn");
    assertThat(shrunk.violation().map(Violation::invariant)).contains("it is locked");
  }

  @Test
  void isTheSameForTheSameSeed() {
    assertThat(LOCK.plan(3)).isEqualTo(LOCK.plan(3)).isNotEqualTo(LOCK.plan(4));
  }
}
