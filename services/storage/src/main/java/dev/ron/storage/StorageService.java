package dev.ron.storage;

import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Owner;
import dev.ron.content.ContentMetrics;
import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.api.StorageContext;
import dev.ron.storage.api.StorageRights;
import dev.ron.storage.api.StorageRoutes;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.object.ByteSecondsTask;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.DataDirectories;
import dev.ron.storage.object.DiskWatch;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.PlacementTask;
import dev.ron.storage.object.VerifiedMemory;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.reference.ReferenceCollector;
import dev.ron.storage.reference.ReferencedObjects;
import dev.ron.storage.reference.StoredBytes;
import dev.ron.storage.repair.DiskRepair;
import dev.ron.storage.repair.RepairQueue;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.repair.RepairThrottle;
import dev.ron.storage.repair.Scrubber;
import dev.ron.storage.tier.ColdTier;
import dev.ron.storage.upload.UploadSweep;
import dev.ron.storage.upload.Uploads;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wiring of a storage on one machine: directories, repair, doors.
 *
 * <p>What consumes stands above what produces: the stores above repair, repair above its planner,
 * all of them above the doors. The directories are read here, before there is a door, so that no
 * request meets half a storage.
 */
public final class StorageService {
  /** A read is a disk or a hash. */
  public static final int GETS_PER_CORE = 4;

  /** A write waits for a flush that many share. */
  public static final int PUTS_PER_CORE = 16;

  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private StorageService() {}

  /** The tree, and the door its address is asked of once it is open. */
  public record Wired(Supervisor supervisor, HttpServer door) {}

  /** With a door that has no names but this machine's own. */
  public static Wired wire(
      StorageConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, limits, List.of(), verifier);
  }

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets every request in; for tests, and behind a door that checks
   * @throws IOException if no data directory can be opened; the message says why
   */
  public static Wired wire(
      StorageConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    var metrics = StorageMetrics.in(scope);
    var content = ContentMetrics.in(scope);
    Kept kept = Kept.open(config, scope, metrics, content);
    RepairTasks<RepairPlan> upkeep = kept.repairs();
    Volumes volumes = upkeep.volumes();
    Optional<ColdTier> tier = config.tier().map(each -> new ColdTier(scope, each, upkeep, content));
    var referenceStores = kept.directories().openReferences(1);
    Volumes references = references(config, referenceStores, volumes.damage(), metrics);
    var charged = new ByteSeconds(scope.meter());
    var objects =
        new ReferencedObjects(
            scope,
            tier.<ObjectStore>map(ColdTier::objects).orElse(volumes),
            volumes,
            references,
            new StoredBytes(scope, charged),
            config.publicRead());
    var uploads = new Uploads(scope, config, kept.directories().opened(), volumes, metrics);
    Supervisor tree = withReferences(kept, referenceStores, references, scope, config);
    tree =
        tree.child("references", Restart.ALWAYS, () -> new ReferenceCollector(scope, objects))
            .child("byte-seconds", Restart.ALWAYS, () -> new ByteSecondsTask(charged));
    if (tier.isPresent()) {
      tree = tree.child("tier", Restart.ALWAYS, tier.get()::mover);
    }
    Duration expire = config.uploads().expire();
    tree =
        kept.repaired(tree, config.durability(), scope)
            .child("uploads", Restart.ALWAYS, () -> new UploadSweep(scope, uploads, expire));
    Owner caller = verifier == null ? Owner.OPERATOR : new Owner(Owner.DEFAULT);
    StorageContext context =
        StorageContext.of(
            scope,
            config,
            objects,
            caller,
            uploads,
            upkeep,
            GETS_PER_CORE * CORES,
            PUTS_PER_CORE * CORES,
            () -> null);
    var guard =
        StorageRights.guard(scope, verifier, config.publicRead(), StorageRights.OPERATOR_READS);
    var doors = new StorageDoors(config, scope, limits, guard, metrics);
    HttpServer http = doors.http(StorageRoutes.of(context), Access.of(hosts, scope, verifier));
    return new Wired(tree.door("http", http), http);
  }

  /** The stores of objects and of references, and what looks after the latter. */
  private static Supervisor withReferences(
      Kept kept,
      List<DataDirectories.Opened> referenceStores,
      Volumes references,
      Scope scope,
      StorageConfig config) {
    RepairTasks<RepairPlan> upkeep = kept.repairs();
    var stores =
        Stream.concat(kept.directories().opened().stream(), referenceStores.stream()).toList();
    Supervisor tree = Kept.stores("storage", stores, upkeep.volumes().damage().events(), scope);
    if (referenceStores.isEmpty()) {
      return tree;
    }
    return tree.child(
            "scrub-references",
            Restart.ALWAYS,
            () -> scrubber(references, upkeep, config.durability()))
        .children(
            "placement-references",
            referenceStores,
            Restart.ALWAYS,
            each -> new PlacementTask(each, references));
  }

  private static Task scrubber(
      Volumes references, RepairTasks<?> upkeep, StorageConfig.Durability durability) {
    var progress = new AtomicReference<>(Scrubber.Progress.NONE);
    return new Scrubber(
        references, upkeep.pace(), durability.scrubPeriod(), upkeep.metrics(), progress);
  }

  /** Each directory has every reference: they are small, and worth as much as all its objects. */
  private static Volumes references(
      StorageConfig config,
      List<DataDirectories.Opened> stores,
      DamageTracker objects,
      StorageMetrics metrics) {
    List<Volume> volumes =
        config.amnesia()
            ? List.of(DataDirectories.memory(config))
            : stores.stream().map(DataDirectories.Opened::volume).toList();
    var damage = new DamageTracker(objects.events(), metrics);
    return new Volumes(volumes, volumes.size(), config.durability().quorum(), damage);
  }

  /** What is kept on no disk is in memory already. */
  public static @Nullable VerifiedMemory hot(StorageConfig config, Scope scope) {
    StorageConfig.Hot hot = config.hot();
    return config.amnesia()
        ? null
        : VerifiedMemory.of(scope, hot.memory().bytes(), hot.age()).orElse(null);
  }

  /**
   * Objects on the disks of this machine, and what repairs them. The door to them stands below.
   *
   * <p>Threading: immutable; its parts are thread-safe.
   */
  public record Kept(DataDirectories directories, RepairTasks<RepairPlan> repairs) {
    /**
     * @throws IOException if no data directory can be opened; the message says why
     */
    public static Kept open(
        StorageConfig config, Scope scope, StorageMetrics metrics, ContentMetrics content)
        throws IOException {
      StorageConfig.Durability durability = config.durability();
      Broadcast<StorageEvent> events = Broadcast.of(scope, "events", config.events());
      DataDirectories directories = DataDirectories.open(scope, config, content);
      var volumes =
          new Volumes(
              directories.volumes(),
              durability.replication(),
              durability.quorum(),
              new DamageTracker(events, metrics),
              hot(config, scope));
      Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
      var pace =
          new RepairThrottle(
              scope.time(), durability.repairRate().bytesPerSecond(), shutdown, metrics);
      var queue = new RepairQueue<RepairPlan>(scope, durability.repairQueue());
      return new Kept(
          directories, new RepairTasks<>(volumes, pace, queue, shutdown, scope.time(), metrics));
    }

    /** The tree of that name, with the stores in it. */
    public Supervisor stores(String name, Scope scope) {
      return stores(name, directories.opened(), repairs.volumes().damage().events(), scope);
    }

    /** The same of these stores. */
    public static Supervisor stores(
        String name,
        List<DataDirectories.Opened> stores,
        Broadcast<StorageEvent> events,
        Scope scope) {
      return Supervisor.named(name)
          .children("store", stores, Restart.ALWAYS, DataDirectories.Opened::end)
          .children("commit", stores, Restart.ALWAYS, each -> each.store().groupCommit())
          .children("housekeeping", stores, Restart.ALWAYS, each -> each.store().housekeeping())
          .child("events", Restart.ALWAYS, () -> StorageEvent.reader(events, scope.log()));
    }

    /** The tree with what finds and repairs damage below what is there. */
    public Supervisor repaired(Supervisor tree, StorageConfig.Durability durability, Scope scope) {
      Volumes volumes = repairs.volumes();
      var repair = new DiskRepair(repairs);
      int workers = durability.repairWorkers();
      Duration period = durability.planPeriod();
      return tree.children("repair", workers, Restart.ALWAYS, () -> repairs.worker(repair))
          .child("scrub", Restart.ALWAYS, () -> repairs.scrubber(durability.scrubPeriod()))
          .child(
              "planner",
              Restart.ALWAYS,
              () -> repairs.planner(period, repairs.queue()::offer, true))
          .child("shutdown", Restart.ALWAYS, repairs::shutdown)
          .child("disks", Restart.ALWAYS, () -> new DiskWatch(scope, directories.opened()))
          .children(
              "placement",
              directories.opened(),
              Restart.ALWAYS,
              each -> new PlacementTask(each, volumes));
    }
  }
}
