package dev.ron.simulator.names;

import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.cluster.FaultyCluster;
import dev.ron.simulator.engine.Boot;
import dev.ron.simulator.engine.Plan;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * S3's names on three machines: conditional writes, reads, deletes, lists, and blocks that are
 * collected when no name leads to them.
 *
 * <p>Threading: stateless.
 */
public final class NamesScenario implements Scenario {
  private static final Duration LENGTH = Duration.ofMinutes(20);
  private static final int CALLS = 320;
  private static final int TROUBLES_MAX = 24;

  @Override
  public String name() {
    return "names";
  }

  @Override
  public Plan plan(long seed) {
    var random = new SplittableRandom(seed ^ 0x6e616d65);
    var draft = new Plan.Draft(random, LENGTH);
    for (int i = 0; i < 3; i++) {
      draft.add(5_000 + 20_000L * i, "bucket", i);
    }
    draft
        .scatter(CALLS / 4, "put")
        .scatter(CALLS / 8, "put-if-absent")
        .scatter(CALLS / 4, "put-if-match")
        .scatter(CALLS / 4, "get")
        .scatter(CALLS / 8, "list")
        .scatter(CALLS / 8, "remove");
    int troubles = random.nextInt(TROUBLES_MAX);
    for (int i = 0; i < troubles; i++) {
      FaultyCluster.trouble(draft);
    }
    return draft.plan(seed);
  }

  @Override
  public void play(Plan plan, Simulation simulation) throws Exception {
    var blocks = new SimulatedBlocks(List.of("a", "b", "c"));
    var cluster =
        FaultyCluster.ofLogs(
            simulation,
            1,
            (machine, logs) -> NamesMachine.on(machine, logs, simulation.seams(), blocks));
    var clients = new NamesClients(cluster, simulation, blocks);
    cluster.startAll();
    for (PlanStep step : plan.steps()) {
      simulation
          .scheduler()
          .after(
              step.at(),
              Boot.OUTSIDE,
              () -> {
                simulation.tell("plan", step.toString());
                if (!cluster.befalls(step)) {
                  clients.call(step);
                }
              });
    }
    simulation.scheduler().run(plan.length());
    cluster.recover();
    clients.readRest();
    // First, because machines that differ may collect otherwise too.
    checkAlike(cluster.machines());
    clients.awaitCollection();
    checkAlike(cluster.machines());
  }

  /** Every machine has decided the same, once each has applied the same entries. */
  private static void checkAlike(List<BootedService<NamesMachine>> machines) throws IOException {
    BootedService<NamesMachine> first = machines.getFirst();
    SimulatedRows rows = first.running().orElseThrow().rows();
    for (BootedService<NamesMachine> each : machines) {
      Optional<String> difference = rows.difference(each.running().orElseThrow().rows());
      if (difference.isPresent()) {
        throw new Violation(
            "machines agree",
            "of %s and %s, %s"
                .formatted(first.machine().name(), each.machine().name(), difference.get()));
      }
    }
  }
}
