package dev.ron.simulator.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What happens to a cluster in a run; together with its seed it is the whole run.
 *
 * @param seed draws what the steps leave open: delays, and the order of threads
 * @param length of the run without what is looked at in the end
 */
public record Plan(long seed, Duration length, List<PlanStep> steps) {
  public Plan {
    steps = List.copyOf(steps);
  }

  public Plan with(List<PlanStep> others) {
    return new Plan(seed, length, others);
  }

  /**
   * Gathers the steps of a plan.
   *
   * <p>Threading: owned by the thread that makes the plan.
   */
  public static final class Draft {
    private final RandomGenerator random;
    private final long millis;
    private final List<PlanStep> steps = new ArrayList<>();

    public Draft(RandomGenerator random, Duration length) {
      this.random = random;
      this.millis = length.toMillis();
    }

    public RandomGenerator random() {
      return random;
    }

    /** So many at times that are drawn. */
    public Draft scatter(int count, String verb) {
      for (int i = 0; i < count; i++) {
        add(random.nextLong(millis), verb);
      }
      return this;
    }

    public Draft add(long at, String verb) {
      return add(at, verb, random.nextInt(1 << 20));
    }

    public Draft add(long at, String verb, int a) {
      return add(at, verb, a, random.nextInt(1 << 20));
    }

    public Draft add(long at, String verb, int a, int b) {
      steps.add(new PlanStep(at, verb, a, b, random.nextInt(1 << 20)));
      return this;
    }

    public long time() {
      return random.nextLong(millis);
    }

    public Plan plan(long seed) {
      // What comes later would befall machines after they were made well, while they are compared.
      steps.removeIf(step -> step.millis() > millis);
      steps.sort(Comparator.comparingLong(PlanStep::millis));
      return new Plan(seed, Duration.ofMillis(millis), steps);
    }
  }
}
