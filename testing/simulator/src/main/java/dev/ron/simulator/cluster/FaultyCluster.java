package dev.ron.simulator.cluster;

import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Network;
import dev.ron.simulator.engine.Plan;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.SharedContent;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import dev.ron.simulator.log.AgreedLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Three machines that keep something together, and what befalls them.
 *
 * <p>Trouble with a disk stays with one machine at a time, because what two of three machines have
 * lost is lost.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
public final class FaultyCluster<M extends ClusterMachine> {
  private static final int MACHINES = 3;
  private static final Duration ELECTION = Duration.ofSeconds(1);
  private static final int TRIM_ENTRIES = 100;

  /** No multiple of a period of the services, so that it does not always look amid their work. */
  private static final Duration RECOVERY_STEP = Duration.ofMillis(9700);

  private static final int RECOVERY_STEPS_MAX = 60;

  /** Shorter than the rest between two entries that an idle cluster adds to its logs. */
  private static final Duration SETTLE_STEP = Duration.ofMillis(10);

  private static final int SETTLE_STEPS_MAX = 6000;

  private final Simulation simulation;
  private final Scheduler scheduler;
  private final Network network;
  private final List<? extends SharedContent> shared;
  private final List<M> machines;

  /** Machines whose disks have lied or lost something since they were last emptied. */
  private final Set<String> damaged = new HashSet<>();

  /** Makes one machine of those that keep logs. */
  @FunctionalInterface
  public interface Maker<M> {
    M make(Machine machine, List<AgreedLog> logs);
  }

  public FaultyCluster(
      Simulation simulation, List<M> machines, List<? extends SharedContent> shared) {
    this.simulation = simulation;
    this.scheduler = simulation.scheduler();
    this.network = simulation.network();
    this.shared = List.copyOf(shared);
    this.machines = List.copyOf(machines);
  }

  /** Machines that keep so many logs. */
  public static <M extends ClusterMachine> FaultyCluster<M> ofLogs(
      Simulation simulation, int groups, Maker<M> maker) {
    List<Machine> bare = bare(simulation);
    List<AgreedLog> logs =
        IntStream.range(0, groups)
            .mapToObj(
                i ->
                    new AgreedLog(
                        simulation.scheduler(),
                        simulation.network(),
                        i,
                        bare,
                        ELECTION,
                        TRIM_ENTRIES))
            .toList();
    return new FaultyCluster<>(
        simulation, bare.stream().map(each -> maker.make(each, logs)).toList(), logs);
  }

  /** As many machines as there are, without a service. */
  public static List<Machine> bare(Simulation simulation) {
    return simulation.machines(MACHINES);
  }

  /** How many things they keep together. */
  public int groups() {
    return shared.size();
  }

  public M machine(int number) {
    return machines.get(Math.floorMod(number, machines.size()));
  }

  public List<M> machines() {
    return machines;
  }

  public void startAll() {
    machines.forEach(ClusterMachine::start);
  }

  /** Each comes with its end, so that the cluster can go on. */
  public static void trouble(Plan.Draft draft) {
    RandomGenerator random = draft.random();
    long at = draft.time();
    int machine = random.nextInt(MACHINES);
    long until = at + 1000 + random.nextInt(90_000);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> draft.add(at, "crash", machine).add(until, "start", machine);
      case 3 -> draft.add(at, "kill", machine).add(until, "start", machine);
      case 4 -> draft.add(at, "drain", machine).add(until, "start", machine);
      case 5, 6 -> draft.add(at, "cut", machine).add(until, "heal", machine);
      case 7 -> draft.add(at, "elect", machine);
      case 8 -> draft.add(at, "pause", machine).add(at + random.nextInt(20_000), "resume", machine);
      case 9 -> draft.add(at, "weather", machine).add(until, "heal", machine);
      case 10 ->
          draft
              .add(at, "disk", machine)
              .add(until, "crash", machine)
              .add(until + 1000, "start", machine);
      default ->
          draft.add(at, "elect", machine).add(at + random.nextInt(3000), "elect", machine + 1);
    }
  }

  /** False if it is no trouble. */
  public boolean befalls(PlanStep step) {
    M at = machine(step.a());
    Machine machine = at.machine();
    switch (step.verb()) {
      case "crash" -> crash(at);
      case "kill" -> {
        if (machine.isUp()) {
          machine.kill();
        }
      }
      case "drain" -> at.drain();
      case "start" -> start(at);
      case "cut" -> cut(step);
      case "heal" -> network.heal();
      case "weather" -> network.weather(step.b() % 100, 1000 + step.c() % 400_000);
      case "elect" -> shared.get(step.b() % shared.size()).lead(machine.name());
      case "pause" -> scheduler.pause(machine.boot(), true);
      case "resume" -> scheduler.pause(machine.boot(), false);
      case "disk" -> disk(at, step);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void crash(M at) {
    if (at.machine().isUp()) {
      at.machine().crash();
    }
  }

  /** One way, the other, or both; from one machine or to both others. */
  private void cut(PlanStep step) {
    String one = machine(step.a()).machine().name();
    for (int i = 1; i <= 1 + step.b() % 2; i++) {
      String other = machine(step.a() + i).machine().name();
      if (step.c() % 3 != 1) {
        network.cut(one, other);
      }
      if (step.c() % 3 != 2) {
        network.cut(other, one);
      }
    }
  }

  /** Only where the others could do without it. */
  private void disk(M at, PlanStep step) {
    String name = at.machine().name();
    if (!damaged.isEmpty() && !damaged.contains(name)) {
      return;
    }
    if (!canSpare(name)) {
      return;
    }
    switch (step.b() % 4) {
      case 0 -> {
        damaged.add(name);
        at.machine().disk().lying(true);
      }
      case 1 -> {
        damaged.add(name);
        at.machine().disk().failFlushAfter(step.c() % 20);
      }
      case 2 -> {
        damaged.add(name);
        at.machine().disk().failWriteAfter(step.c() % 20);
      }
      default -> at.machine().disk().slow(Duration.ofMillis(step.c() % 200));
    }
  }

  private boolean canSpare(String name) {
    return shared.stream().allMatch(each -> each.canSpare(name));
  }

  /** Whether a disk has lied or lost something since it was last emptied. */
  public boolean isAnyDamaged() {
    return !damaged.isEmpty();
  }

  /** A machine that cannot go on with its disk gets an empty one, as its operator would do. */
  private void start(M at) {
    Machine machine = at.machine();
    if (machine.isUp() && at.failed() == null) {
      return;
    }
    if (machine.isUp()) {
      machine.crash();
    }
    machine.disk().slow(Duration.ZERO);
    Throwable wrong = at.failed();
    if (wrong != null || damaged.contains(machine.name())) {
      if (wrong != null && !damaged.contains(machine.name())) {
        throw new Violation("a machine starts again", wrong);
      }
      if (canSpare(machine.name())) {
        machine.replaceDisk();
        shared.forEach(each -> each.wipe(machine.name()));
        damaged.remove(machine.name());
        simulation.tell(machine.name(), "has an empty disk");
      } else if (wrong != null || !shared.stream().allMatch(SharedContent::bearsLoss)) {
        return; // until the others are there
      }
    }
    at.start();
  }

  /** All is well from now on: every machine comes back and has what was agreed on. */
  public void recover() {
    network.heal();
    shared.forEach(SharedContent::calm);
    for (M each : machines) {
      scheduler.pause(each.machine().boot(), false);
      each.machine().disk().slow(Duration.ZERO);
      each.machine().disk().lying(false);
      each.machine().disk().failFlushAfter(Integer.MAX_VALUE);
      each.machine().disk().failWriteAfter(Integer.MAX_VALUE);
      each.machine().disk().capacity(Long.MAX_VALUE);
    }
    for (int i = 0; i < RECOVERY_STEPS_MAX; i++) {
      if (isWell()) {
        return;
      }
      for (M each : machines) {
        if (damaged.contains(each.machine().name())
            && each.machine().isUp()
            && canSpare(each.machine().name())) {
          each.machine().crash();
        }
        start(each);
      }
      scheduler.run(RECOVERY_STEP);
    }
    throw unwell();
  }

  /**
   * Goes on until every machine has applied all that was agreed on, which is when machines can be
   * compared: the work that they do unasked adds to the logs at any time, and each applies it when
   * it hears of it.
   */
  public void settle() {
    for (int i = 0; i < SETTLE_STEPS_MAX; i++) {
      if (isWell()) {
        return;
      }
      scheduler.run(SETTLE_STEP);
    }
    throw unwell();
  }

  private Violation unwell() {
    return new Violation(
        "the cluster recovers",
        "machines %s, kept together %s"
            .formatted(
                machines.stream()
                    .map(each -> each.machine().name() + " " + each.progress())
                    .toList(),
                shared.stream().map(Object::toString).toList()));
  }

  private boolean isWell() {
    return damaged.isEmpty()
        && machines.stream().allMatch(each -> each.isRunning())
        && shared.stream().allMatch(SharedContent::isSettled);
  }
}
