package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.config.DoorAddress;
import dev.ron.edge.api.EdgeContext;
import dev.ron.edge.api.EdgeRights;
import dev.ron.edge.api.EdgeRoutes;
import dev.ron.edge.api.PackContext;
import dev.ron.edge.cache.CacheStorage;
import dev.ron.edge.cache.Evictor;
import dev.ron.edge.cache.HeadSnapshot;
import dev.ron.edge.fill.FillRunner;
import dev.ron.edge.fill.FillWorker;
import dev.ron.edge.fill.SingleFlight;
import dev.ron.edge.fill.UpstreamClients;
import dev.ron.edge.fill.UpstreamFetch;
import dev.ron.edge.pack.MountedPacks;
import dev.ron.edge.pack.PackFolders;
import dev.ron.edge.pack.PackJob;
import dev.ron.edge.pack.PackVerifier;
import dev.ron.edge.pack.PackWatch;
import dev.ron.http.server.Access;
import dev.ron.http.server.Cors;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.EventReader;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.tilepack.DirectoryCache;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: every channel, child and door of the edge, in the order they start.
 *
 * <p>What consumes a channel stands above what fills it: the workers above the door.
 */
public final class EdgeService {
  /** Packs that wait for the verifier; the watch tries the others again at its next look. */
  private static final int PACKS = 64;

  /** Leaf directories of all packs that are kept at hand. */
  private static final long DIRECTORY_BYTES = 32 << 20;

  private EdgeService() {}

  /** The tree, the door its address is asked of once it is open, and what a reload calls. */
  public record Wired(Supervisor supervisor, HttpServer door, Consumer<EdgeConfig> reload) {}

  /** A door with no names but this machine's own. */
  public static Wired wire(
      EdgeConfig config, Scope scope, boolean open, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, open, List.of(), verifier);
  }

  /**
   * @param open lifts the rate, for benchmarks and trusted networks
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null checks no capability; for tests, and behind a door that checks
   * @throws IOException if what is on disk cannot be read; the message says what to do
   */
  public static Wired wire(
      EdgeConfig config, Scope scope, boolean open, List<String> hosts, @Nullable Verifier verifier)
      throws IOException {
    var metrics = EdgeMetrics.in(scope);
    var fills = new SingleFlight(scope, config.fill().queue(), metrics);
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    Watch<EdgeConfig> live = Watch.of(scope, "settings", config);
    Broadcast<EdgeEvent> events = Broadcast.of(scope, "events", config.events());
    Channel<PackJob> jobs = Channel.bounded(scope, "packs", PACKS, Overflow.REJECT_NEW);
    var packs = new MountedPacks();
    scope.readiness().derived("packs", packs::trouble);
    var directories = new DirectoryCache(DIRECTORY_BYTES);
    CacheStorage storage = CacheStorage.open(config, scope);
    var upstreams = new UpstreamClients(scope, config.mounts());
    var fetch = new UpstreamFetch(scope, live, upstreams, shutdown);
    var runner =
        new FillRunner(
            scope, config, storage.cache(), fills, fetch, storage.writer(), metrics, events);
    var rights = new EdgeRights(verifier, config.capabilityRequired(), scope.time());
    var routes =
        EdgeRoutes.of(
            new PackContext(packs, rights, metrics, config.linkBase()),
            new EdgeContext(
                live, rights, storage.cache(), fills, upstreams, metrics, events, scope.time()));
    var http =
        http(config, open).with(Access.of(hosts, scope, verifier)).onRefusal(metrics::refused);
    var door = new HttpServer(scope, http, routes, rights.guard(scope), Decoders.NONE);
    Supervisor tree =
        Supervisor.named("edge")
            .child("audit", Restart.ALWAYS, () -> new EventReader<>(events, audit(scope, live)))
            .child(
                "pack-verifier",
                Restart.ALWAYS,
                () ->
                    new PackVerifier(
                        packs, jobs, directories, events, scope.world().log(), config.sample()))
            .child(
                "pack-watch",
                Restart.ALWAYS,
                () -> new PackWatch(new PackFolders(config.packs()), jobs, config.packPoll()))
            .child("keeper", Restart.ALWAYS, () -> new ResourceCloser(storage))
            .child("upstreams", Restart.ALWAYS, () -> new ResourceCloser(upstreams));
    tree =
        onDisk(tree, storage)
            .child("evictor", Restart.ALWAYS, () -> new Evictor(storage.cache()))
            .children(
                "worker",
                config.fill().workers(),
                Restart.ALWAYS,
                () -> new FillWorker(fills.work(), runner))
            .door("http", door.telling(shutdown));
    return new Wired(
        tree,
        door,
        fresh -> {
          live.set(config.taking(fresh));
          door.rate(fresh.ingress().limits(open).requestsPerSecondMax());
        });
  }

  private static HttpServerConfig http(EdgeConfig config, boolean open) throws IOException {
    DoorAddress address = config.address();
    return HttpServerConfig.on(address.bind().host(), address.bind().port())
        .secured(address.tlsCertificate(), address.tlsKey())
        .besides(address.uds(), address.udsUids())
        .with(config.ingress().limits(open))
        .with(config.ingress().timeouts())
        .with(new Cors(config.corsOrigins()));
  }

  private static AuditLog audit(Scope scope, Watch<EdgeConfig> live) {
    return new AuditLog(scope.log(), () -> live.value().audit());
  }

  /** The children that make what is stored durable; under amnesia there are none. */
  private static Supervisor onDisk(Supervisor tree, CacheStorage storage) {
    CacheStorage.Files files = storage.files();
    return files == null
        ? tree
        : tree.child("content-commit", Restart.ALWAYS, files.segments()::groupCommit)
            .child("content-housekeeping", Restart.ALWAYS, files.segments()::housekeeping)
            .child("flush", Restart.ALWAYS, files.heads()::flushTask)
            .child(
                "head-snapshot",
                Restart.ALWAYS,
                () -> new HeadSnapshot(storage.cache(), files.heads()));
  }
}
