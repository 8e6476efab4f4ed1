package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.edge.api.PackRoutes;
import dev.ron.edge.api.Rights;
import dev.ron.edge.disk.PackFolders;
import dev.ron.edge.disk.PackShelf;
import dev.ron.edge.task.EdgeEvent;
import dev.ron.edge.task.Fill;
import dev.ron.edge.task.FillWorker;
import dev.ron.edge.task.PackJob;
import dev.ron.edge.task.PackVerifier;
import dev.ron.edge.task.PackWatch;
import dev.ron.http.server.Cors;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.tilepack.DirectoryCache;
import java.io.IOException;
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

  /** Packs that wait for the verifier; the watch tries the others again at its next look. */
  private static final int PACKS = 64;

  /** Leaf directories of all packs that are kept at hand. */
  private static final long DIRECTORY_BYTES = 32 << 20;

  private EdgeService() {}

  /** The tree, and the door its address is asked of once it is open. */
  public record Wired(Supervisor supervisor, HttpServer door) {}

  /**
   * @param verifier null lets everybody in; for tests, and behind a door that checks
   * @throws IOException if what is on disk cannot be read; the message says what to do
   */
  public static Wired wire(
      EdgeConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    var metrics = EdgeMetrics.in(scope);
    Channel<Fill> work = Channel.bounded(scope, "work", WORK, Overflow.REJECT_NEW);
    Broadcast<EdgeEvent> events = Broadcast.of(scope, "events", EVENTS);
    Channel<PackJob> packs = Channel.bounded(scope, "packs", PACKS, Overflow.REJECT_NEW);
    var shelf = new PackShelf();
    var directories = new DirectoryCache(DIRECTORY_BYTES);
    scope.readiness().derived("packs", shelf::trouble);
    var rights = new Rights(verifier, config.capabilityRequired(), scope.time());
    var http =
        HttpServerConfig.on(config.bind().host(), config.bind().port())
            .with(limits)
            .with(new Cors(config.corsOrigins()));
    Routes routes = PackRoutes.into(Routes.of(), shelf, rights, metrics, config.publicUrl());
    var door = new HttpServer(scope, http, routes, rights.guard(), Decoders.NONE);
    return new Wired(
        Supervisor.named("edge")
            .children("worker", config.fill().workers(), Restart.ALWAYS, () -> new FillWorker(work))
            .child(
                "pack-verifier",
                Restart.ALWAYS,
                () ->
                    new PackVerifier(
                        shelf, packs, directories, events, scope.world().log(), config.sample()))
            .child(
                "pack-watch",
                Restart.ALWAYS,
                () -> new PackWatch(new PackFolders(config.packs()), packs))
            .door("http", door),
        door);
  }
}
