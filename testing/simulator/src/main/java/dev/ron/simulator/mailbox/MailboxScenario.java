package dev.ron.simulator.mailbox;

import dev.ron.simulator.cluster.FaultyCluster;
import dev.ron.simulator.engine.Boot;
import dev.ron.simulator.engine.Plan;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Simulation;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A mailbox on three machines, its senders and consumers, and what may befall them.
 *
 * <p>Threading: stateless.
 */
public final class MailboxScenario implements Scenario {
  private static final Duration LENGTH = Duration.ofMinutes(20);
  private static final int CALLS = 400;
  private static final int TROUBLES_MAX = 30;

  /** The first may come while no machine leads. */
  private static final int CREATES = 3;

  @Override
  public String name() {
    return "mailbox";
  }

  @Override
  public Plan plan(long seed) {
    var random = new SplittableRandom(seed ^ 0x6d61696c);
    var draft = new Plan.Draft(random, LENGTH);
    for (int i = 0; i < CREATES; i++) {
      draft.add(5_000 + 20_000L * i, "create", i);
    }
    draft
        .scatter(CALLS / 4, "send")
        .scatter(CALLS / 16, "resend")
        .scatter(CALLS / 4, "receive")
        .scatter(CALLS / 4, "ack")
        .scatter(CALLS / 32, "nack")
        .scatter(CALLS / 4, "put")
        .scatter(CALLS / 4, "take")
        .scatter(CALLS / 4, "delete");
    int troubles = random.nextInt(TROUBLES_MAX);
    for (int i = 0; i < troubles; i++) {
      FaultyCluster.trouble(draft);
    }
    return draft.plan(seed);
  }

  @Override
  public void play(Plan plan, Simulation simulation) throws Exception {
    var cluster =
        FaultyCluster.ofLogs(
            simulation,
            1 + (int) Math.floorMod(plan.seed(), 3L),
            (machine, logs) -> MailboxMachine.on(machine, logs, simulation.seams()));
    var clients = new MailboxClients(cluster, simulation);
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
    clients.receiveRest();
    MailboxMachine.checkAlike(
        cluster.machines().stream().map(each -> each.running().orElseThrow()).toList());
  }
}
