package dev.ron.simulator.storage;

import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.cluster.FaultyCluster;
import dev.ron.simulator.engine.Boot;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Plan;
import dev.ron.simulator.engine.PlanStep;
import dev.ron.simulator.engine.Scenario;
import dev.ron.simulator.engine.Simulation;
import dev.ron.testkit.FaultyDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The storage on three machines: whole objects and coded ones, tenants that share them, deletes,
 * repair and collection.
 *
 * <p>Threading: stateless.
 */
public final class StorageScenario implements Scenario {
  private static final Duration LENGTH = Duration.ofMinutes(10);
  private static final Duration UPKEEP = Duration.ofMinutes(4);
  private static final int CALLS = 240;
  private static final int BURSTS = 20;
  private static final int STORMS_MAX = 30;

  /** Longer than seals and promises last. */
  private static final int PAUSE_MILLIS_MAX = 50_000;

  /** Calendars that differ by more may harm a machine that lost its promises. */
  private static final int SKEW_MILLIS_MAX = 4_500;

  private static final List<String> BURST = List.of("put", "put", "delete", "get");
  private static final int TROUBLES_MAX = 16;
  private static final int MACHINES = 3;

  /** With less than this, and what it is given more, a disk takes no objects. */
  private static final long FREE_MIN = 64 << 20;

  @Override
  public String name() {
    return "storage";
  }

  @Override
  public Plan plan(long seed) {
    var random = new SplittableRandom(seed ^ 0x73746f72);
    var draft = new Plan.Draft(random, LENGTH);
    draft
        .scatter(CALLS / 3, "put")
        .scatter(CALLS / 4, "get")
        .scatter(CALLS / 8, "range")
        .scatter(CALLS / 4, "delete")
        .scatter(CALLS / 32, "list");
    for (int i = 0; i < BURSTS; i++) {
      burst(draft, draft.time(), 100, 6);
    }
    for (int i = random.nextInt(STORMS_MAX); i > 0; i--) {
      storm(draft);
    }
    int troubles = random.nextInt(TROUBLES_MAX);
    for (int i = 0; i < troubles; i++) {
      if (random.nextInt(4) == 0) {
        trouble(draft);
      } else {
        FaultyCluster.trouble(draft);
      }
    }
    return draft.plan(seed);
  }

  /** Calls for one object, or for neighbours of it, within so many milliseconds. */
  private static void burst(Plan.Draft draft, long at, int within, int callsMax) {
    RandomGenerator random = draft.random();
    int register = random.nextInt(1 << 10);
    for (int i = 2 + random.nextInt(callsMax); i > 0; i--) {
      String verb = BURST.get(random.nextInt(BURST.size()));
      draft.add(at + random.nextInt(within), verb, random.nextInt(MACHINES), register);
      register += random.nextInt(2);
    }
  }

  /** Calls in the midst of which machines fail, on a network that makes them last. */
  private static void storm(Plan.Draft draft) {
    RandomGenerator random = draft.random();
    long at = draft.time();
    long until = at + 2_000 + random.nextInt(60_000);
    if (random.nextBoolean()) {
      draft.add(at, "weather", 0).add(until, "heal", 0);
    }
    burst(draft, at, 400, 12);
    for (int i = random.nextInt(3); i >= 0; i--) {
      long amid = at + random.nextInt(1_000);
      int machine = random.nextInt(MACHINES);
      switch (random.nextInt(4)) {
        case 0 -> draft.add(amid, "crash", machine).add(until, "start", machine);
        case 1 -> draft.add(amid, "kill", machine).add(until, "start", machine);
        case 2 ->
            draft
                .add(amid, "pause", machine)
                .add(amid + random.nextInt(PAUSE_MILLIS_MAX), "resume", machine);
        default -> draft.add(amid, "cut", machine).add(until, "heal", machine);
      }
    }
    burst(draft, until, 3_000, 6);
  }

  /** Of a storage's kind. */
  private static void trouble(Plan.Draft draft) {
    RandomGenerator random = draft.random();
    long at = draft.time();
    int machine = random.nextInt(MACHINES);
    long until = at + 1000 + random.nextInt(90_000);
    switch (random.nextInt(4)) {
      case 0 ->
          draft.add(at, "skew", machine).add(at, "crash", machine).add(until, "start", machine);
      case 1 -> {
        for (int i = 0; i < MACHINES; i++) {
          draft.add(at, "crash", i).add(until + random.nextInt(5_000), "start", i);
        }
      }
      case 2 -> draft.add(at, "rot", machine);
      default -> draft.add(at, "fill", machine).add(until, "room", machine);
    }
  }

  @Override
  public void play(Plan plan, Simulation simulation) throws Exception {
    int replication = 2 + (int) Math.floorMod(plan.seed(), 2L);
    var wires = new NodeWires(simulation);
    List<BootedService<StorageMachine>> machines =
        FaultyCluster.bare(simulation).stream()
            .map(each -> StorageMachine.on(each, wires, simulation.seams(), replication))
            .toList();
    var stored = new StoredObjects(simulation, machines);
    var cluster = new FaultyCluster<>(simulation, machines, List.of(stored));
    var clients = new StorageClients(cluster, simulation, stored);
    stored.watch();
    cluster.startAll();
    for (PlanStep step : plan.steps()) {
      simulation
          .scheduler()
          .after(
              step.at(),
              Boot.OUTSIDE,
              () -> {
                simulation.tell("plan", step.toString());
                if (!befalls(step, cluster, stored) && !cluster.befalls(step)) {
                  clients.call(step);
                }
              });
    }
    simulation.scheduler().run(plan.length());
    cluster.recover();
    simulation.scheduler().run(UPKEEP);
    clients.readRest();
    Set<SampleObject> present = clients.present();
    Set<SampleObject> absent = new HashSet<>(SampleObject.ALL);
    absent.removeAll(present);
    stored.checkRepaired(present, absent, replication);
  }

  private static boolean befalls(
      PlanStep step, FaultyCluster<BootedService<StorageMachine>> cluster, StoredObjects stored) {
    Machine machine = cluster.machine(step.a()).machine();
    switch (step.verb()) {
      case "fill" -> {
        FaultyDisk disk = machine.disk();
        disk.capacity(Long.MAX_VALUE);
        long used = Long.MAX_VALUE - disk.freeBytes(StorageMachine.FOLDER);
        disk.capacity(FREE_MIN + used + step.c() % 200_000);
      }
      case "skew" ->
          machine.skew(Duration.ofMillis(step.c() % (2 * SKEW_MILLIS_MAX) - SKEW_MILLIS_MAX));
      case "room" -> machine.disk().capacity(Long.MAX_VALUE);
      case "rot" -> {
        if (!cluster.isAnyDamaged() && stored.canSpare(machine.name())) {
          rot(machine, step, stored);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** One bit, anywhere but in the name of the disk: that is its operator's to mend. */
  private static void rot(Machine machine, PlanStep step, StoredObjects stored) {
    FaultyDisk disk = machine.disk();
    List<Path> files =
        disk.paths().stream()
            .filter(each -> disk.size(each) > 0 && each.getNameCount() > 2)
            .toList();
    if (!files.isEmpty()) {
      Path file = files.get(step.b() % files.size());
      disk.flipBit(file, step.c() * 7919L % (8 * disk.size(file)));
      stored.rots(machine.name());
    }
  }
}
