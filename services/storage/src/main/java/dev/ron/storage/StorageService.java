package dev.ron.storage;

import dev.ron.capability.Verifier;
import dev.ron.config.Address;
import dev.ron.content.ContentMetrics;
import dev.ron.http.decode.DecodeLimits;
import dev.ron.http.server.Access;
import dev.ron.http.server.Bind;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.Guard;
import dev.ron.http.server.GuardedDecoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Routes;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.storage.api.CountedDecoders;
import dev.ron.storage.api.Desk;
import dev.ron.storage.api.Rights;
import dev.ron.storage.api.StorageRoutes;
import dev.ron.storage.core.Home;
import dev.ron.storage.core.NodeRepairPlan;
import dev.ron.storage.task.BodyBudget;
import dev.ron.storage.task.DamageBook;
import dev.ron.storage.task.DataDirectories;
import dev.ron.storage.task.DiskRepair;
import dev.ron.storage.task.EventLog;
import dev.ron.storage.task.Peering;
import dev.ron.storage.task.PlacementTask;
import dev.ron.storage.task.Pool;
import dev.ron.storage.task.RepairOutcome;
import dev.ron.storage.task.RepairWorker;
import dev.ron.storage.task.Shelves;
import dev.ron.storage.task.Stock;
import dev.ron.storage.task.StorageEvent;
import dev.ron.storage.task.Tiering;
import dev.ron.storage.task.Upkeep;
import dev.ron.storage.task.UploadSweep;
import dev.ron.storage.task.Uploads;
import dev.ron.storage.task.WaitingRoom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: directories, pools, repair, doors.
 *
 * <p>Who consumes stands above who produces: the stores above repair, repair above its planner, all
 * of them above the doors. The directories are read here, before there is a door, so that no
 * request meets half a storage.
 */
public final class StorageService {
  private static final int EVENTS = 1024;

  /** A read is a disk or a hash, a write waits for a flush that many share. */
  private static final int GETS_PER_CORE = 4;

  private static final int PUTS_PER_CORE = 16;

  private StorageService() {}

  /**
   * The tree, and the door its address is asked of once it is open.
   *
   * @param reload takes the live keys of a configuration that was read anew
   */
  public record Wired(Supervisor supervisor, HttpServer door, Consumer<StorageConfig> reload) {}

  /** One alone: a door with no names but this machine's own, and no capability for other nodes. */
  public static Wired wire(
      StorageConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, limits, List.of(), verifier, () -> "");
  }

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets everybody in; for tests, and behind a door that checks
   * @param peerToken gives a capability with the operation {@code peer} that is good for the next
   *     minutes; asked for each request to another node, unless {@code cluster.cap} is set
   * @throws IOException if no data directory can be opened; the message says why
   */
  public static Wired wire(
      StorageConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier,
      Supplier<String> peerToken)
      throws IOException {
    boolean alone = !config.cluster().several();
    StorageConfig.Durability durability = config.durability();
    var metrics = StorageMetrics.in(scope);
    Broadcast<StorageEvent> events = Broadcast.of(scope, "events", EVENTS);
    var content = ContentMetrics.in(scope);
    DataDirectories directories = DataDirectories.open(scope, config, content);
    // With several nodes each has one copy, on one of its disks.
    var shelves =
        new Shelves(
            directories.shelves(),
            alone ? durability.replication() : 1,
            alone ? durability.quorum() : 1,
            new DamageBook(events, metrics));
    var upkeep =
        new Upkeep<NodeRepairPlan>(
            scope, shelves, durability.repairRate().bytesPerSecond(), metrics);
    var disks = new DiskRepair(upkeep);
    Optional<Peering> peering =
        alone
            ? Optional.empty()
            : Optional.of(
                Peering.of(scope, config, upkeep, directories.shardShelves(), events, peerToken));
    Optional<Tiering> tier = config.tier().map(each -> Tiering.of(scope, each, upkeep, content));
    Stock stock =
        peering
            .<Stock>map(Peering::cluster)
            .orElse(tier.<Stock>map(Tiering::stock).orElse(shelves));
    var uploads = new Uploads(scope, config, directories.opened(), shelves, stock, metrics);
    Watch<List<Home>> placement = Watch.of(scope, "placement", shelves.homes());
    var probe = new PlacementTask(directories.all(), shelves, placement);
    Supervisor tree =
        directories
            .into(Supervisor.named("storage"))
            .child("events", Restart.ALWAYS, () -> new EventLog(events, scope.log()));
    if (peering.isPresent()) {
      tree = peering.get().into(tree, durability);
    }
    if (tier.isPresent()) {
      tree = tier.get().into(tree, scope);
    }
    Duration expire = config.uploads().expire();
    RepairWorker.Repair<NodeRepairPlan> repair =
        peering
            .<RepairWorker.Repair<NodeRepairPlan>>map(Peering::courier)
            .orElse(
                plan ->
                    plan instanceof NodeRepairPlan.OnDisks(var own)
                        ? disks.carryOut(own)
                        : RepairOutcome.SKIPPED);
    tree =
        tree.children(
                "repair", durability.repairWorkers(), Restart.ALWAYS, () -> upkeep.worker(repair))
            .child("scrub", Restart.ALWAYS, () -> upkeep.scrubber(durability.scrubPeriod()))
            .child(
                "planner",
                Restart.ALWAYS,
                () ->
                    upkeep.planner(
                        durability.planPeriod(),
                        plan -> upkeep.queue().offer(new NodeRepairPlan.OnDisks(plan)),
                        alone))
            .child("shutdown", Restart.ALWAYS, upkeep::shutdown)
            .child("uploads", Restart.ALWAYS, () -> new UploadSweep(scope, uploads, expire))
            .child("placement", Restart.ALWAYS, () -> probe);
    Desk desk = desk(config, scope, stock, uploads, upkeep, peering);
    Limits wide = behindWork(limits, config.pools().work());
    return doors(config, scope, wide, Access.of(hosts, scope, verifier), verifier, tree, desk);
  }

  private static Desk desk(
      StorageConfig config,
      Scope scope,
      Stock stock,
      Uploads uploads,
      Upkeep<?> upkeep,
      Optional<Peering> peering) {
    Shelves shelves = upkeep.shelves();
    // A read that waits for another node keeps its place and works on nothing.
    int getsPerCore = peering.isPresent() ? 4 * GETS_PER_CORE : GETS_PER_CORE;
    scope
        .metrics()
        .sampled(
            "damaged_objects",
            "Objects with a copy that is known to be bad.",
            sample -> sample.call((double) shelves.badCopies()));
    var work = new WaitingRoom(scope, "work", config.pools().work());
    return new Desk(
        config,
        shelves,
        stock,
        uploads,
        new Pool(scope, "get", places(config.pools().get(), getsPerCore), work),
        new Pool(scope, "put", places(config.pools().put(), PUTS_PER_CORE), work),
        new BodyBudget(config.sizes().bodies().bytes()),
        upkeep,
        upkeep.metrics(),
        scope.time(),
        peering);
  }

  private static Wired doors(
      StorageConfig config,
      Scope scope,
      Limits limits,
      Access access,
      @Nullable Verifier verifier,
      Supervisor tree,
      Desk desk)
      throws IOException {
    PeerTrust trust = config.cluster().trust();
    Guard guard = Rights.guard(scope, verifier, config.publicRead(), trust.beyondLoopback());
    Decoders decoders =
        new CountedDecoders(
            new GuardedDecoders(DecodeLimits.capped(config.sizes().put().bytes())), desk.metrics());
    var http =
        HttpServerConfig.on(config.bind().host(), config.bind().port()).with(limits).with(access);
    Routes routes = trust.byCertificate() ? StorageRoutes.of(desk) : StorageRoutes.withPeers(desk);
    var door = new HttpServer(scope, http, routes, guard, decoders);
    if (desk.peering().isPresent() && trust.byCertificate()) {
      Address at = config.cluster().peerDoor();
      var peers =
          HttpServerConfig.on(at.host(), at.port())
              .with(limits)
              .with(new Tls(trust.certificates().orElseThrow()));
      Scope own = Scope.of(scope.service(), scope.world());
      tree =
          tree.door(
              "nodes", new HttpServer(own, peers, StorageRoutes.peers(desk), guard, decoders));
    }
    if (config.unix().socket().isPresent()) {
      Path socket = config.unix().socket().get();
      var bind = new Bind.Unix(socket, new HashSet<>(config.unix().uids()));
      Scope own = scope.withOwnMetrics();
      tree =
          tree.door(
              "uds",
              new HttpServer(
                  own,
                  HttpServerConfig.on(bind).with(limits),
                  StorageRoutes.withPeers(desk),
                  guard,
                  decoders));
    }
    return new Wired(
        tree.door("http", door),
        door,
        fresh -> desk.peering().ifPresent(peering -> peering.reload(fresh)));
  }

  /** The {@code work} queue decides who is refused, so the door lets in what it can hold. */
  private static Limits behindWork(Limits limits, int work) {
    return new Limits(
        limits.connectionsMax(),
        limits.headBytesMax(),
        limits.fieldsMax(),
        limits.bodyBytesMax(),
        Math.max(limits.inflightMax(), 2 * work),
        limits.requestsPerSecondMax());
  }

  private static int places(int configured, int perCore) {
    return configured > 0 ? configured : perCore * Runtime.getRuntime().availableProcessors();
  }
}
