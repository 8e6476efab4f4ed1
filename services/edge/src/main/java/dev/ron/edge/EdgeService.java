package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.edge.api.EdgeContext;
import dev.ron.edge.api.EdgeRights;
import dev.ron.edge.api.EdgeRoutes;
import dev.ron.edge.api.PackRoutes;
import dev.ron.edge.cache.CacheStorage;
import dev.ron.edge.fill.FillRunner;
import dev.ron.edge.fill.FillWorker;
import dev.ron.edge.fill.SingleFlight;
import dev.ron.edge.fill.UpstreamClients;
import dev.ron.edge.fill.UpstreamFetch;
import dev.ron.edge.pack.PackTasks;
import dev.ron.http.server.Access;
import dev.ron.http.server.Cors;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.route.Routes;
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
    var fills = new SingleFlight(scope, WORK, metrics);
    Broadcast<EdgeEvent> events = Broadcast.of(scope, "events", EVENTS);
    var packs = new PackTasks(config, scope, events);
    CacheStorage storage = CacheStorage.open(config, scope);
    var upstreams = new UpstreamClients(scope, config.mounts());
    var asking = new UpstreamFetch(scope, config.fill(), upstreams);
    var filling =
        new FillRunner(
            scope, config, storage.cache(), fills, asking, storage.stowing(), metrics, events);
    var rights = new EdgeRights(verifier, config.capabilityRequired(), scope.time());
    var desk =
        new EdgeContext(
            config, rights, storage.cache(), fills, upstreams, metrics, events, scope.time());
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
                    .child("keeper", Restart.ALWAYS, () -> new ResourceCloser(storage))
                    .child("upstreams", Restart.ALWAYS, () -> new ResourceCloser(upstreams)))
            .children(
                "worker",
                config.fill().workers(),
                Restart.ALWAYS,
                () -> new FillWorker(fills.work(), filling))
            .door("http", door),
        door);
  }
}
