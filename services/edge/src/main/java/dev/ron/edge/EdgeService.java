package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.edge.api.Desk;
import dev.ron.edge.api.EdgeRoutes;
import dev.ron.edge.api.PackRoutes;
import dev.ron.edge.api.Rights;
import dev.ron.edge.task.Asking;
import dev.ron.edge.task.EdgeEvent;
import dev.ron.edge.task.FillWorker;
import dev.ron.edge.task.Filling;
import dev.ron.edge.task.Fills;
import dev.ron.edge.task.PackKeeping;
import dev.ron.edge.task.Storage;
import dev.ron.edge.task.StoreKeeper;
import dev.ron.edge.task.Upstreams;
import dev.ron.http.server.Access;
import dev.ron.http.server.Cors;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: cache, workers, packs, door.
 *
 * <p>Who consumes stands above who produces: the workers above the door.
 */
public final class EdgeService {
  /** Fills that wait for a worker; the next miss gets 429. */
  private static final int WORK = 512;

  /** Events a slow subscriber may fall behind before it misses the oldest. */
  private static final int EVENTS = 1024;

  private EdgeService() {}

  /** The tree, and the door its address is asked of once it is open. */
  public record Wired(Supervisor supervisor, HttpServer door) {}

  /** A door with no names but this machine's own. */
  public static Wired wire(
      EdgeConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, limits, List.of(), verifier);
  }

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets everybody in; for tests, and behind a door that checks
   * @throws IOException if what is on disk cannot be read; the message says what to do
   */
  public static Wired wire(
      EdgeConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    var metrics = EdgeMetrics.in(scope);
    var fills = new Fills(scope, WORK, metrics);
    Broadcast<EdgeEvent> events = Broadcast.of(scope, "events", EVENTS);
    var packs = new PackKeeping(config, scope, events);
    Storage storage = Storage.open(config, scope);
    var upstreams = new Upstreams(scope, config.mounts());
    var asking = new Asking(scope, config.fill(), upstreams);
    var filling =
        new Filling(
            scope, config, storage.cache(), fills, asking, storage.stowing(), metrics, events);
    var rights = new Rights(verifier, config.capabilityRequired(), scope.time());
    var desk =
        new Desk(config, rights, storage.cache(), fills, upstreams, metrics, events, scope.time());
    var http =
        HttpServerConfig.on(config.bind().host(), config.bind().port())
            .with(limits)
            .with(Access.of(hosts, scope, verifier))
            .with(new Cors(config.corsOrigins()))
            .onRefusal(metrics::refused);
    Routes routes = PackRoutes.into(Routes.of(), packs.shelf(), rights, metrics, config.linkBase());
    var door =
        new HttpServer(
            scope, http, EdgeRoutes.into(routes, desk), rights.guard(scope), Decoders.NONE);
    return new Wired(
        storage
            .into(
                packs
                    .into(Supervisor.named("edge"))
                    .child("keeper", Restart.ALWAYS, () -> new StoreKeeper(storage))
                    .child("upstreams", Restart.ALWAYS, () -> new StoreKeeper(upstreams)))
            .children(
                "worker",
                config.fill().workers(),
                Restart.ALWAYS,
                () -> new FillWorker(fills.work(), filling))
            .door("http", door),
        door);
  }
}
