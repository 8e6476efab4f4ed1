package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.edge.api.EdgeRoutes;
import dev.ron.edge.api.Rights;
import dev.ron.edge.task.EdgeEvent;
import dev.ron.edge.task.Fill;
import dev.ron.edge.task.FillWorker;
import dev.ron.http.server.Cors;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
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
    EdgeMetrics.in(scope);
    Channel<Fill> work = Channel.bounded(scope, "work", WORK, Overflow.REJECT_NEW);
    Broadcast.<EdgeEvent>of(scope, "events", EVENTS);
    var rights = new Rights(verifier, config.capabilityRequired(), scope.time());
    var http =
        HttpServerConfig.on(config.bind().host(), config.bind().port())
            .with(limits)
            .with(new Cors(config.corsOrigins()));
    var door = new HttpServer(scope, http, EdgeRoutes.of(), rights.guard(), Decoders.NONE);
    return new Wired(
        Supervisor.named("edge")
            .children("worker", config.fill().workers(), Restart.ALWAYS, () -> new FillWorker(work))
            .door("http", door),
        door);
  }
}
