package dev.ron.gateway;

import dev.ron.capability.Verifier;
import dev.ron.decode.DecodeLimits;
import dev.ron.gateway.api.GatewayDoor;
import dev.ron.gateway.api.Proxy;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.server.Access;
import dev.ron.http.server.Bind;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.exchange.GuardedDecoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: client, machinery, door.
 *
 * <p>The server's own rate, body cap and deadline are wide open, because the gateway knows better
 * ones: each route, tenant and capability has its own. Its limits on heads, connections and codings
 * are the first to hold, before anything of the gateway runs.
 */
public final class GatewayService {
  private static final long NO_BODY_CAP = 1L << 50;

  /** A deadline is set from the route; this one is for a route that nobody found. */
  private static final Duration REQUEST_MAX = Duration.ofHours(2);

  /** For each loop; the places of a route are what bounds them. */
  private static final int CONNECTIONS_PER_ORIGIN_MAX = 4096;

  private GatewayService() {}

  /** The tree, the door its address is asked of once it is open, and what a reload calls. */
  public record Wired(Supervisor supervisor, HttpServer door, Consumer<GatewayConfig> reload) {}

  /** A door on loopback with no names but its own and those of its configuration. */
  public static Wired wire(
      GatewayConfig config, Scope scope, boolean open, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, open, List.of(), verifier);
  }

  /**
   * @param open lifts the instance's rate cap, for benchmarks and trusted networks
   * @param localHosts further names of a door on loopback
   * @param verifier null lets everybody in; for tests and closed networks
   */
  public static Wired wire(
      GatewayConfig config,
      Scope scope,
      boolean open,
      List<String> localHosts,
      @Nullable Verifier verifier)
      throws IOException {
    var client = new HttpClient(scope, client(config));
    var machinery = new GatewayTasks(scope, config, GatewayMetrics.in(scope), open);
    var proxy = Proxy.of(scope, machinery, client, config, verifier);
    var server =
        new HttpServer(
            scope,
            server(config).with(access(config, localHosts, scope, verifier)),
            proxy.routes(),
            Guard.OPEN,
            decoders(config));
    Supervisor tree =
        machinery
            .into(Supervisor.named("gateway"), config.drr().workerCount(), client)
            .door("http", new GatewayDoor(server, client, machinery));
    return new Wired(tree, server, machinery::reload);
  }

  /** Strangers reach this door, and what its metrics tell of tenants is not for them. */
  private static Access access(
      GatewayConfig config, List<String> local, Scope scope, @Nullable Verifier verifier) {
    boolean loopback = new Bind.Tcp(config.bind().host(), config.bind().port()).local();
    var hosts = new ArrayList<String>(config.hosts());
    if (loopback) {
      hosts.addAll(local);
    }
    if (loopback || !hosts.isEmpty()) {
      config.routes().stream()
          .map(GatewayRoute::host)
          .filter(host -> !host.isEmpty())
          .forEach(hosts::add);
    }
    return Access.of(hosts, scope, verifier).withoutLocalDetails();
  }

  private static HttpServerConfig server(GatewayConfig config) throws IOException {
    GatewayConfig.Patience patience = config.patience();
    int insideMax = GatewayTasks.insideMax(config.bounds().inflight());
    Limits usual = Limits.HARDENED;
    var limits =
        new Limits(
            config.connectionsMax(),
            config.connectionsPerAddressMax(),
            usual.headBytesMax(),
            usual.fieldsMax(),
            NO_BODY_CAP,
            insideMax,
            0);
    HttpServerConfig http =
        HttpServerConfig.on(config.bind().host(), config.bind().port())
            .with(limits)
            .with(new Timeouts(patience.read(), patience.write(), patience.idle(), REQUEST_MAX))
            .withLoops(config.loops())
            .withAccessLog(false);
    Optional<Path> chain = config.certificate().chain();
    Optional<Path> key = config.certificate().key();
    return chain.isPresent() && key.isPresent() ? http.with(new Tls(chain.get(), key.get())) : http;
  }

  private static HttpClientConfig client(GatewayConfig config) {
    HttpClientConfig usual = HttpClientConfig.standard();
    return new HttpClientConfig(
        usual.transport(),
        1,
        usual.connect(),
        config.patience().idle(),
        CONNECTIONS_PER_ORIGIN_MAX,
        AddressPolicy.ANY,
        Optional.empty());
  }

  private static GuardedDecoders decoders(GatewayConfig config) {
    GatewayConfig.Bounds bounds = config.bounds();
    return new GuardedDecoders(
        new DecodeLimits(
            bounds.decoded().bytes(), bounds.decodeRatio(), DecodeLimits.WINDOW_BYTES_DEFAULT));
  }
}
