package dev.ron.simulator;

import dev.ron.simulator.engine.HistoryCheck;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import dev.ron.simulator.engine.Violation;
import dev.ron.simulator.mailbox.MailboxScenario;
import dev.ron.simulator.names.NamesScenario;
import dev.ron.simulator.storage.StorageScenario;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code ron simulate}: plays clusters under many seeds, and one seed again.
 *
 * <p>Threading: owned by the main thread.
 */
public final class Simulate {
  private static final List<Scenario> SCENARIOS =
      List.of(new MailboxScenario(), new NamesScenario(), new StorageScenario());

  private static final String USAGE =
      """
      ron simulate [--seeds N] [--seed S] [--scenario NAME] [--log]
        --seeds N        plays N seeds of each scenario, 100 unless told; 1 with --seed
        --seed S         begins with seed S, 1 unless told; the same seed is the same run
        --scenario NAME  plays one scenario: %s
        --log            shows the last log lines of a seed that fails"""
          .formatted(String.join(", ", SCENARIOS.stream().map(Scenario::name).toList()));

  /** What is asked for. */
  record Request(long first, int seeds, List<Scenario> scenarios, boolean log) {
    /**
     * @throws IllegalArgumentException says what is wrong and what to say instead
     */
    static Request parse(List<String> words) {
      long first = 1;
      int seeds = -1;
      boolean given = false;
      boolean log = false;
      List<Scenario> scenarios = SCENARIOS;
      for (int i = 0; i < words.size(); i++) {
        String word = words.get(i);
        if (word.equals("--log")) {
          log = true;
          continue;
        }
        if (!List.of("--seeds", "--seed", "--scenario").contains(word)) {
          throw new IllegalArgumentException("unknown: " + word);
        }
        if (i + 1 == words.size()) {
          throw new IllegalArgumentException(word + " needs a value");
        }
        String value = words.get(++i);
        switch (word) {
          case "--seeds" -> seeds = Math.toIntExact(number(word, value, 1, 100_000_000));
          case "--seed" -> {
            first = number(word, value, Long.MIN_VALUE, Long.MAX_VALUE);
            given = true;
          }
          default ->
              scenarios =
                  List.of(
                      SCENARIOS.stream()
                          .filter(each -> each.name().equals(value))
                          .findFirst()
                          .orElseThrow(() -> new IllegalArgumentException("no scenario " + value)));
        }
      }
      return new Request(first, seeds > 0 ? seeds : given ? 1 : 100, scenarios, log);
    }

    private static long number(String word, String value, long min, long max) {
      try {
        long number = Long.parseLong(value);
        if (number >= min && number <= max) {
          return number;
        }
      } catch (NumberFormatException notOne) {
        // said below
      }
      throw new IllegalArgumentException(
          "%s = %s is no whole number of %d to %d".formatted(word, value, min, max));
    }
  }

  private Simulate() {}

  public static void main(String[] args) {
    Request request;
    try {
      request = Request.parse(List.of(args));
    } catch (IllegalArgumentException wrong) {
      System.err.println("ron simulate: " + wrong.getMessage() + "\n" + USAGE);
      System.exit(2);
      return;
    }
    System.exit(run(request, System.out) ? 0 : 1);
  }

  /** False if a seed fails. */
  static boolean run(Request request, PrintStream out) {
    boolean good = true;
    for (Scenario scenario : request.scenarios()) {
      Duration simulated = Duration.ZERO;
      Duration cpu = Duration.ZERO;
      int failed = 0;
      int undecided = 0;
      for (long seed = request.first(); seed < request.first() + request.seeds(); seed++) {
        SeedRun run = SeedRun.of(scenario, seed, Seams.NONE);
        simulated = simulated.plus(run.simulated());
        cpu = cpu.plus(run.cpu());
        if (run.violation().isPresent()) {
          failed++;
          undecided += isUndecided(run) ? 1 : 0;
          report(run, scenario, request.log(), out);
        } else if (request.seeds() == 1) {
          out.printf(
              Locale.ROOT,
              "%s seed %d: %d steps, %d turns, trace %x%n",
              scenario.name(),
              seed,
              run.plan().steps().size(),
              run.turns(),
              run.trace());
        }
      }
      good &= failed == 0;
      out.printf(
          Locale.ROOT,
          "%s: %d seeds, %d failed, %d of them undecided, %.1f simulated hours in %.1f s of CPU, %.0f hours per CPU hour%n",
          scenario.name(),
          request.seeds(),
          failed,
          undecided,
          simulated.toMillis() / 3.6e6,
          cpu.toMillis() / 1e3,
          (double) simulated.toMillis() / Math.max(1, cpu.toMillis()));
    }
    return good;
  }

  /** Nothing is known of such a run, which is not good enough. */
  private static boolean isUndecided(SeedRun run) {
    return run.violation().orElseThrow().invariant().equals(HistoryCheck.DECIDED);
  }

  private static void report(SeedRun run, Scenario scenario, boolean log, PrintStream out) {
    Violation violation = run.violation().orElseThrow();
    out.printf(
        "%s seed %d fails: %s%n", scenario.name(), run.plan().seed(), violation.getMessage());
    SeedRun shrunk = run.shrunk(scenario, Seams.NONE);
    out.printf(
        "  repeat it with: ./ron simulate --scenario %s --seed %d%n  %d of %d steps are enough:%n",
        scenario.name(),
        run.plan().seed(),
        shrunk.plan().steps().size(),
        run.plan().steps().size());
    for (PlanStep step : shrunk.plan().steps()) {
      out.println("    " + step);
    }
    if (log) {
      List<String> lines = new ArrayList<>(shrunk.lines());
      lines.forEach(line -> out.println("  " + line));
      Optional.ofNullable(violation.getCause()).ifPresent(cause -> cause.printStackTrace(out));
    }
  }
}
