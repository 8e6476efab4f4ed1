package dev.ron.simulator.storage;

import dev.ron.blake3.Address;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.engine.Boot;
import dev.ron.simulator.engine.Scheduler;
import dev.ron.simulator.engine.SharedContent;
import dev.ron.simulator.engine.Simulation;
import dev.ron.simulator.engine.Violation;
import dev.ron.storage.cluster.node.ClusterNode.Kind;
import dev.ron.storage.cluster.node.CodedIndex;
import dev.ron.storage.cluster.node.LocalNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What lies on the disks, as each machine says of its own every other second; and so which machine
 * the others could do without.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class StoredObjects implements SharedContent {
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final int DATA_SHARDS = 2;

  /** By then a delete has ended, however it did. */
  private static final Duration DELETE_LIMIT = StorageClients.LIMIT.plusSeconds(5);

  private static final int SHARDS = 3;

  private final Simulation simulation;
  private final Scheduler scheduler;
  private final List<BootedService<StorageMachine>> machines;
  private final Map<String, Report> reports = new TreeMap<>();
  private final Set<SampleObject> promised = new HashSet<>();
  private final Map<SampleObject, Instant> deletes = new HashMap<>();

  /** Machines with bits that rotted. */
  private final Set<String> rotten = new TreeSet<>();

  /**
   * What one machine has.
   *
   * @param shards of each object, good ones
   * @param level whether it may vote about references
   */
  record Report(
      Boot boot, Instant at, Set<Address> whole, Map<Address, Set<Address>> shards, boolean level) {
    boolean hasSome(SampleObject object) {
      return whole.contains(object.address()) || shards.containsKey(object.address());
    }
  }

  StoredObjects(Simulation simulation, List<BootedService<StorageMachine>> machines) {
    this.simulation = simulation;
    this.scheduler = simulation.scheduler();
    this.machines = machines;
  }

  void watch() {
    scheduler.after(
        PERIOD,
        Boot.OUTSIDE,
        () -> {
          machines.forEach(each -> ask(each, found -> reports.put(each.machine().name(), found)));
          watch();
        });
  }

  /** Looks at one machine; never heard if it ends meanwhile. */
  void ask(BootedService<StorageMachine> service, Consumer<Report> heard) {
    StorageMachine at = service.running().orElse(null);
    if (at == null) {
      return;
    }
    Boot boot = service.machine().boot();
    service
        .machine()
        .threads()
        .start("audit", () -> heard.accept(report(boot, at.kept().store().local())));
  }

  private Report report(Boot boot, LocalNode local) {
    List<Address> all = SampleObject.ALL.stream().map(SampleObject::address).toList();
    var shards = new HashMap<Address, Set<Address>>();
    for (Address each : all) {
      local
          .index()
          .find(each)
          .map(CodedIndex.Row::shards)
          .ifPresent(
              row -> {
                Set<Address> there = local.have(Kind.SHARD, row);
                if (!there.isEmpty()) {
                  shards.put(each, there);
                }
              });
    }
    return new Report(
        boot,
        scheduler.now(),
        local.have(Kind.OBJECT, all),
        shards,
        local.references().read(List.of()).level());
  }

  private Optional<Report> fresh(BootedService<StorageMachine> of) {
    return Optional.ofNullable(reports.get(of.machine().name()))
        .filter(each -> each.boot() == of.machine().boot())
        .filter(_ -> of.isRunning())
        .filter(each -> !each.at().plus(PERIOD.multipliedBy(2)).isBefore(scheduler.now()));
  }

  private List<Report> fresh() {
    return machines.stream().flatMap(each -> fresh(each).stream()).toList();
  }

  // ---- what is promised

  /** A write of it that began then was answered. */
  void promised(SampleObject object, Instant begun) {
    Instant delete = deletes.getOrDefault(object, Instant.MIN);
    if (delete.isBefore(begun.minus(DELETE_LIMIT))) {
      promised.add(object);
    }
  }

  /** A delete of it is tried. */
  void mayGo(SampleObject object) {
    promised.remove(object);
    deletes.put(object, scheduler.now());
  }

  private boolean isPromised(SampleObject object) {
    return promised.contains(object);
  }

  // ---- what can be lost

  /** Every other machine votes, and together they have all that is on any machine. */
  @Override
  public boolean canSpare(String machine) {
    if (!rotten.isEmpty() && !rotten.contains(machine)) {
      return false;
    }
    var others = new ArrayList<Report>();
    for (BootedService<StorageMachine> each : machines) {
      if (!each.machine().name().equals(machine)) {
        Optional<Report> report = fresh(each);
        if (report.isEmpty() || !report.get().level()) {
          return false;
        }
        others.add(report.get());
      }
    }
    return SampleObject.ALL.stream().allMatch(each -> isEnough(each, others));
  }

  private boolean isEnough(SampleObject object, List<Report> others) {
    boolean some = fresh().stream().anyMatch(each -> each.hasSome(object));
    return isWhole(object, others) || (!some && !isPromised(object));
  }

  private static boolean isWhole(SampleObject object, List<Report> of) {
    return copies(object, of) > 0 || shards(object, of).size() >= DATA_SHARDS;
  }

  private static long copies(SampleObject object, List<Report> of) {
    return of.stream().filter(each -> each.whole().contains(object.address())).count();
  }

  private static Set<Address> shards(SampleObject object, List<Report> of) {
    var found = new HashSet<Address>();
    of.forEach(each -> found.addAll(each.shards().getOrDefault(object.address(), Set.of())));
    return found;
  }

  void rots(String machine) {
    rotten.add(machine);
  }

  @Override
  public void wipe(String machine) {
    rotten.remove(machine);
  }

  /** It forgot what it voted for. */
  @Override
  public boolean bearsLoss() {
    return false;
  }

  @Override
  public boolean isSettled() {
    List<Report> all = fresh();
    return all.size() == machines.size() && all.stream().allMatch(Report::level);
  }

  @Override
  public void calm() {}

  @Override
  public void lead(String machine) {}

  @Override
  public String toString() {
    return fresh().stream().map(each -> each.boot().machine() + " level " + each.level()).toList()
        + " rotten "
        + rotten;
  }

  // ---- what must be there

  /**
   * A write was just answered: as many disks as it takes have it, of machines that can be asked.
   */
  void checkDurable(SampleObject object, int quorum) {
    var heard = new ArrayList<Report>();
    for (BootedService<StorageMachine> each : machines) {
      ask(each, heard::add);
    }
    Instant asked = scheduler.now();
    scheduler.after(
        Duration.ofSeconds(1),
        Boot.OUTSIDE,
        () -> {
          long silent = (long) machines.size() - heard.size();
          boolean enough =
              copies(object, heard) + silent >= quorum
                  || shards(object, heard).size() + silent >= SHARDS;
          if (isPromised(object) && !enough) {
            throw new Violation(
                "what is acknowledged is on enough machines",
                "%s at %s: %d copies and %d shards, %d machines silent"
                    .formatted(
                        object,
                        asked,
                        copies(object, heard),
                        shards(object, heard).size(),
                        silent));
          }
        });
  }

  /** In the end: repair made whole what is there, and what no tenant has is gone. */
  void checkRepaired(Set<SampleObject> present, Set<SampleObject> absent, int replication) {
    List<Report> all = fresh();
    if (all.size() < machines.size()) {
      throw new Violation("the cluster recovers", "some machines do not say what they have");
    }
    for (SampleObject each : present) {
      if (copies(each, all) < replication && shards(each, all).size() < SHARDS) {
        throw new Violation(
            "repair ends",
            "%s has %d of %d copies and %d shards"
                .formatted(each, copies(each, all), replication, shards(each, all).size()));
      }
    }
    for (SampleObject each : absent) {
      if (copies(each, all) > 0 || !shards(each, all).isEmpty()) {
        throw new Violation(
            "what is deleted is collected",
            "%s has %d copies and %d shards"
                .formatted(each, copies(each, all), shards(each, all).size()));
      }
    }
    simulation.tell("end", "%d there, %d gone".formatted(present.size(), absent.size()));
  }
}
