package dev.ron.simulator.engine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of one run.
 *
 * @param trace equal for equal runs
 * @param simulated the time that passed in the cluster
 * @param cpu that the process used meanwhile, its collector and compiler included
 */
public record SeedRun(
    String scenario,
    Plan plan,
    long trace,
    long turns,
    Duration simulated,
    Duration cpu,
    Optional<Violation> violation,
    List<String> lines) {
  /** More runs than this do not make a plan much shorter. */
  private static final int SHRINKS_MAX = 200;

  private static final OperatingSystemMXBean CPU =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  public SeedRun {
    lines = List.copyOf(lines);
  }

  public static SeedRun of(Scenario scenario, long seed, Seams seams) {
    return of(scenario, scenario.plan(seed), seams, false);
  }

  public static SeedRun of(Scenario scenario, Plan plan, Seams seams, boolean telling) {
    long before = CPU.getProcessCpuTime();
    var simulation = new Simulation(plan.seed(), seams, telling);
    Optional<Violation> violation = Optional.empty();
    try {
      scenario.play(plan, simulation);
    } catch (Violation broken) {
      violation = Optional.of(broken);
    } catch (Exception | StackOverflowError thrown) {
      violation = Optional.of(new Violation("the run goes on", thrown));
    }
    Scheduler scheduler = simulation.scheduler();
    return new SeedRun(
        scenario.name(),
        plan,
        scheduler.trace(),
        scheduler.turns(),
        Duration.between(Scheduler.START, scheduler.now()),
        Duration.ofNanos(CPU.getProcessCpuTime() - before),
        violation,
        simulation.lines());
  }

  /**
   * A shorter plan under which the same invariant breaks: leaves out ever smaller parts of it, as
   * long as it still does.
   */
  public SeedRun shrunk(Scenario scenario, Seams seams) {
    if (violation.isEmpty()) {
      return this;
    }
    String invariant = violation.get().invariant();
    SeedRun best = this;
    int runs = 0;
    int parts = 2;
    while (best.plan.steps().size() > 1 && runs < SHRINKS_MAX) {
      SeedRun shorter = null;
      for (int part = 0; part < parts && shorter == null && runs < SHRINKS_MAX; part++) {
        SeedRun tried = of(scenario, best.plan.with(without(best.plan, part, parts)), seams, true);
        runs++;
        if (tried.violation.filter(each -> each.invariant().equals(invariant)).isPresent()) {
          shorter = tried;
        }
      }
      if (shorter != null) {
        best = shorter;
        parts = Math.clamp(parts - 1, 2, Math.max(2, best.plan.steps().size()));
      } else if (parts < best.plan.steps().size()) {
        parts = Math.min(2 * parts, best.plan.steps().size());
      } else {
        return best; // no step can go
      }
    }
    return best;
  }

  private static List<PlanStep> without(Plan plan, int part, int parts) {
    List<PlanStep> all = plan.steps();
    int from = (int) ((long) part * all.size() / parts);
    int to = (int) ((long) (part + 1) * all.size() / parts);
    var left = new ArrayList<>(all.subList(0, from));
    left.addAll(all.subList(to, all.size()));
    return left;
  }
}
