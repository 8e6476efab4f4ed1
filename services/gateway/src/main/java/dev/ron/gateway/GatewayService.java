package dev.ron.gateway;

import dev.ron.capability.Verifier;
import dev.ron.decode.DecodeLimits;
import dev.ron.gateway.admit.Admission;
import dev.ron.gateway.admit.AdmissionTicket;
import dev.ron.gateway.admit.Backlog;
import dev.ron.gateway.admit.ClientAddress;
import dev.ron.gateway.admit.RequestChecks;
import dev.ron.gateway.admit.SchedulerLoop;
import dev.ron.gateway.admit.SlotSignal;
import dev.ron.gateway.admit.Tenants;
import dev.ron.gateway.admit.WorkerLoop;
import dev.ron.gateway.api.GatewayDoor;
import dev.ron.gateway.api.Proxy;
import dev.ron.gateway.forward.ForwardedFields;
import dev.ron.gateway.forward.TrustedPeers;
import dev.ron.gateway.route.CurrentRouting;
import dev.ron.gateway.route.ProbeTicker;
import dev.ron.gateway.route.UpstreamProber;
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
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.guard.QuotaBuckets;
import dev.ron.http.server.guard.RefusalLimit;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.EventReader;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: every channel, child and door of the gateway, in the order they start.
 *
 * <p>What consumes a channel stands above what fills it. The server's own rate, body cap and
 * deadline are wide open, because the gateway knows better ones: each route, tenant and capability
 * has its own. Its limits on heads, connections and codings are the first to hold, before anything
 * of the gateway runs.
 */
public final class GatewayService {
  private static final int EVENTS = 1024;
  private static final int TICKS = 64;

  private static final long NO_BODY_CAP = 1L << 50;

  /** A deadline is set from the route; this one is for a request without a route. */
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
   * @param verifier null checks no capability; for tests and closed networks
   */
  public static Wired wire(
      GatewayConfig config,
      Scope scope,
      boolean open,
      List<String> localHosts,
      @Nullable Verifier verifier)
      throws IOException {
    var metrics = GatewayMetrics.in(scope);
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    var work = channel(scope, "work", config.drr().workQueue(), Overflow.REJECT_NEW, shutdown);
    var sched = channel(scope, "sched", config.drr().schedQueue(), Overflow.DROP_OLDEST, shutdown);
    Broadcast<String> events = Broadcast.of(scope, "events", EVENTS);
    Channel<Instant> ticks = Channel.bounded(scope, "metrics_tick", TICKS, Overflow.AWAIT);
    var routings = new CurrentRouting(scope, metrics, config, open);
    var tenants = new Tenants(metrics);
    var rates = new QuotaBuckets(scope.time());
    var freed = new SlotSignal();
    var backlog = new Backlog();
    var admission = new Admission(scope, tenants, work, freed, events, config.limits().inflight());
    var client = new HttpClient(scope, client(config));
    var checks = checks(config, scope, routings, tenants, rates, verifier);
    var proxy = proxy(config, scope, admission, shutdown, client, checks);
    HttpServerConfig http = server(config);
    var server =
        new HttpServer(
            scope,
            http.with(access(config, localHosts, scope, verifier)),
            proxy.routes(),
            Guard.OPEN,
            decoders(config));
    Supervisor tree =
        Supervisor.named("gateway")
            .child(
                "event-log",
                Restart.ALWAYS,
                () -> new EventReader<>(events, what -> scope.log().info("gateway", "what", what)))
            .children(
                "worker", config.drr().workerCount(), Restart.ALWAYS, () -> new WorkerLoop(sched))
            .child(
                "scheduler",
                Restart.ALWAYS,
                () -> new SchedulerLoop(work, sched, freed, backlog, routings, admission))
            .child(
                "prober",
                Restart.ALWAYS,
                () -> new UpstreamProber(scope, ticks, routings, rates, client, shutdown, events))
            .child("ticker", Restart.ALWAYS, () -> new ProbeTicker(ticks))
            .door("http", new GatewayDoor(server, client, shutdown, events));
    return new Wired(
        tree,
        server,
        next -> {
          readCertificateAgain(http.tls(), scope);
          routings.take(next); // for every request from the next one on
          freed.ring(); // there may be more places now, or larger quanta
          events.publish("reloaded");
        });
  }

  /** What is dropped from it is told so, and why. */
  private static Channel<AdmissionTicket> channel(
      Scope scope, String name, int capacity, Overflow overflow, Watch<Boolean> shutdown) {
    return Channel.bounded(
        scope, name, capacity, overflow, ticket -> ticket.dropped(shutdown.value()));
  }

  private static RequestChecks checks(
      GatewayConfig config,
      Scope scope,
      CurrentRouting routings,
      Tenants tenants,
      QuotaBuckets rates,
      @Nullable Verifier verifier) {
    var trusted = new TrustedPeers(config.trustedProxies());
    return new RequestChecks(
        routings,
        tenants,
        rates,
        new ClientAddress(trusted),
        new RefusalLimit(scope.time(), trusted::has),
        verifier,
        new CapabilityRates(scope.time()),
        scope.time(),
        config.limits().bodyBytes().bytes());
  }

  private static Proxy proxy(
      GatewayConfig config,
      Scope scope,
      Admission admission,
      Watch<Boolean> shutdown,
      HttpClient client,
      RequestChecks checks) {
    boolean tls = config.tlsCertificate().isPresent();
    var forwarded = new ForwardedFields(new TrustedPeers(config.trustedProxies()), tls);
    return new Proxy(scope, admission, shutdown, client, forwarded, config.idleTimeout(), checks);
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
    // What may be inside, and what has come but was not judged.
    int insideMax = config.limits().inflight() + config.drr().workQueue();
    Limits usual = Limits.HARDENED;
    var limits =
        new Limits(
            config.maxConnections(),
            config.maxConnectionsPerAddress(),
            usual.headBytesMax(),
            usual.fieldsMax(),
            NO_BODY_CAP,
            insideMax,
            0);
    HttpServerConfig http =
        HttpServerConfig.on(config.bind().host(), config.bind().port())
            .with(limits)
            .with(
                new Timeouts(
                    config.readTimeout(), config.writeTimeout(), config.idleTimeout(), REQUEST_MAX))
            .withLoops(config.loops())
            .withAccessLog(false);
    Optional<Path> chain = config.tlsCertificate();
    Optional<Path> key = config.tlsKey();
    return chain.isPresent() && key.isPresent() ? http.with(new Tls(chain.get(), key.get())) : http;
  }

  /** Renewed in place, as tools that renew certificates do. What cannot be read changes nothing. */
  private static void readCertificateAgain(@Nullable Tls tls, Scope scope) {
    if (tls == null) {
      return;
    }
    try {
      tls.reload();
    } catch (IOException unreadable) {
      scope.log().warn("certificate-kept", "why", unreadable);
    }
  }

  private static HttpClientConfig client(GatewayConfig config) {
    HttpClientConfig usual = HttpClientConfig.standard();
    return new HttpClientConfig(
        usual.transport(),
        1,
        usual.connect(),
        config.idleTimeout(),
        CONNECTIONS_PER_ORIGIN_MAX,
        AddressPolicy.ANY,
        Optional.empty());
  }

  private static GuardedDecoders decoders(GatewayConfig config) {
    GatewayConfig.Bounds limits = config.limits();
    return new GuardedDecoders(
        new DecodeLimits(
            limits.decodeBytes().bytes(), limits.decodeRatio(), DecodeLimits.WINDOW_BYTES_DEFAULT));
  }
}
