package dev.ron.storage;

import dev.ron.capability.Verifier;
import dev.ron.http.decode.DecodeLimits;
import dev.ron.http.server.Bind;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.Guard;
import dev.ron.http.server.GuardedDecoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
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
import dev.ron.storage.task.BodyBudget;
import dev.ron.storage.task.DamageBook;
import dev.ron.storage.task.DataDirectories;
import dev.ron.storage.task.EventLog;
import dev.ron.storage.task.Peering;
import dev.ron.storage.task.PlacementTask;
import dev.ron.storage.task.Pool;
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

  /**
   * @param verifier null lets everybody in; for tests, and behind a door that checks
   * @throws IOException if no data directory can be opened; the message says why
   */
  public static Wired wire(
      StorageConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    boolean alone = !config.cluster().several();
    StorageConfig.Durability durability = config.durability();
    var metrics = StorageMetrics.in(scope);
    Broadcast<StorageEvent> events = Broadcast.of(scope, "events", EVENTS);
    DataDirectories directories = DataDirectories.open(scope, config);
    // With several nodes each has one copy, on one of its disks.
    var shelves =
        new Shelves(
            directories.shelves(),
            alone ? durability.replication() : 1,
            alone ? durability.quorum() : 1,
            new DamageBook(events, metrics));
    var upkeep = Upkeep.of(scope, shelves, durability.repairRate().bytesPerSecond(), metrics);
    Optional<Peering> peering =
        alone
            ? Optional.empty()
            : Optional.of(Peering.of(scope, config, upkeep, directories.shardShelves(), events));
    Optional<Tiering> tier = config.tier().map(each -> Tiering.of(scope, each, upkeep));
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
    tree =
        upkeep
            .into(tree, scope, durability, alone)
            .child("uploads", Restart.ALWAYS, () -> new UploadSweep(scope, uploads, expire))
            .child("placement", Restart.ALWAYS, () -> probe);
    Desk desk = desk(config, scope, stock, uploads, upkeep, peering);
    return doors(config, scope, limits, verifier, tree, desk);
  }

  private static Desk desk(
      StorageConfig config,
      Scope scope,
      Stock stock,
      Uploads uploads,
      Upkeep upkeep,
      Optional<Peering> peering) {
    Shelves shelves = upkeep.shelves();
    // A read that waits for another node keeps its place and works on nothing.
    int getsPerCore = peering.isPresent() ? 4 * GETS_PER_CORE : GETS_PER_CORE;
    scope
        .metrics()
        .sampled(
            "damaged_objects",
            "Objects with a copy that is known to be bad.",
            sample -> sample.call(shelves.damage().objects()));
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
      @Nullable Verifier verifier,
      Supervisor tree,
      Desk desk) {
    Guard guard = Rights.guard(scope, verifier, config.publicRead());
    Decoders decoders =
        new CountedDecoders(
            new GuardedDecoders(DecodeLimits.capped(config.sizes().put().bytes())), desk.metrics());
    Limits wide = behindWork(limits, config.pools().work());
    var http = HttpServerConfig.on(config.bind().host(), config.bind().port()).with(wide);
    var door = new HttpServer(scope, http, StorageRoutes.of(desk), guard, decoders);
    if (config.unix().socket().isPresent()) {
      Path socket = config.unix().socket().get();
      var bind = new Bind.Unix(socket, new HashSet<>(config.unix().uids()));
      // A server has metrics of its own, so this one has a scope; the rest is the same service.
      Scope own = Scope.of(scope.service(), scope.world());
      tree =
          tree.door(
              "uds",
              new HttpServer(
                  own,
                  HttpServerConfig.on(bind).with(wide),
                  StorageRoutes.of(desk),
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
