package dev.ron.gateway;

import dev.ron.capability.Verifier;
import dev.ron.config.DoorAddress;
import dev.ron.config.value.HostPort;
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
import dev.ron.gateway.route.GatewayClients;
import dev.ron.gateway.route.OtherMachines;
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
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PinnedCertificates;
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
    return wire(
        config,
        scope,
        open,
        List.of(),
        verifier,
        OtherMachines.NONE,
        PinnedCertificates.besideOthers(List::of));
  }

  /**
   * @param open lifts the instance's rate cap, for benchmarks and trusted networks
   * @param localHosts further names of a door on loopback
   * @param verifier null checks no capability; for tests and closed networks
   * @param machines of the cluster, whose gateways are asked where a service is not ready here
   * @param trusted what upstreams of this process show; others are trusted as the JDK does
   */
  public static Wired wire(
      GatewayConfig config,
      Scope scope,
      boolean open,
      List<String> localHosts,
      @Nullable Verifier verifier,
      OtherMachines machines,
      PinnedCertificates trusted)
      throws IOException {
    var metrics = GatewayMetrics.in(scope);
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    var work = channel(scope, "work", config.drr().workQueue(), Overflow.REJECT_NEW, shutdown);
    var sched = channel(scope, "sched", config.drr().schedQueue(), Overflow.DROP_OLDEST, shutdown);
    Broadcast<String> events = Broadcast.of(scope, "events", config.events());
    Channel<Instant> ticks = Channel.bounded(scope, "metrics_tick", TICKS, Overflow.AWAIT);
    var routings = new CurrentRouting(scope, metrics, config, open);
    var tenants = new Tenants(metrics);
    var rates = new QuotaBuckets(scope.time());
    var freed = new SlotSignal();
    var backlog = new Backlog();
    var admission = new Admission(scope, tenants, work, freed, events, config.limits().inflight());
    GatewayClients clients = clients(config, scope, machines, trusted);
    var checks = checks(config, scope, routings, tenants, rates, verifier);
    var proxy = proxy(config, scope, admission, shutdown, clients, checks, false);
    HttpServerConfig http = server(config);
    var access = access(config, localHosts, scope, verifier);
    var server =
        new HttpServer(scope, http.with(access), proxy.routes(), Guard.LATER, decoders(config));
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
                () ->
                    new SchedulerLoop(
                        work, sched, freed, backlog, routings, admission, scope.tenants()))
            .child(
                "prober",
                Restart.ALWAYS,
                () ->
                    new UpstreamProber(scope, ticks, routings, rates, clients, machines, shutdown))
            .child("ticker", Restart.ALWAYS, () -> new ProbeTicker(ticks));
    tree =
        withMachines(
            tree,
            machines,
            config,
            scope,
            proxy(config, scope, admission, shutdown, clients, checks, true),
            verifier);
    tree = tree.door("http", new GatewayDoor(server, clients, shutdown, events));
    return new Wired(tree, server, next -> reload(next, routings, freed, events));
  }

  private static void reload(
      GatewayConfig next, CurrentRouting routings, SlotSignal freed, Broadcast<String> events) {
    routings.take(next); // for every request from the next one on
    freed.ring(); // there may be more places now, or larger quanta
    events.publish("reloaded");
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
      GatewayClients clients,
      RequestChecks checks,
      boolean forMachines) {
    var forwarded =
        new ForwardedFields(
            new TrustedPeers(config.trustedProxies()), config.address().isSecured());
    return new Proxy(
        scope, admission, shutdown, clients, forwarded, config.idleTimeout(), checks, forMachines);
  }

  private static Supervisor withMachines(
      Supervisor tree,
      OtherMachines machines,
      GatewayConfig config,
      Scope scope,
      Proxy proxy,
      @Nullable Verifier verifier)
      throws IOException {
    return machines.own().isEmpty()
        ? tree
        : tree.door(
            "machines", machineDoor(machines.own().get(), config, scope, proxy.routes(), verifier));
  }

  /**
   * Where the gateways of other machines ask for what is not ready there. What comes in is judged
   * as at the other door, and goes to services of this machine alone.
   */
  private static HttpServer machineDoor(
      OtherMachines.Door door,
      GatewayConfig config,
      Scope scope,
      Routes routes,
      @Nullable Verifier verifier)
      throws IOException {
    // Another machine asks for all of its clients from one address, as many as it lets in at once.
    int fromMachine = Math.max(config.maxConnectionsPerAddress(), insideMax(config));
    // A scope of its own: the gateway that was asked first counts a request and its use.
    return new HttpServer(
        Scope.of(scope.service(), scope.world()),
        limited(config, door.host(), door.port(), fromMachine)
            .with(new Tls(door.tls()))
            .with(Access.of(List.of(door.host()), scope, verifier).withoutLocalDetails()),
        routes,
        Guard.LATER,
        decoders(config));
  }

  private static GatewayClients clients(
      GatewayConfig config, Scope scope, OtherMachines machines, PinnedCertificates trusted)
      throws IOException {
    var upstreams = new HttpClient(scope, client(config), trusted);
    return machines.own().isEmpty()
        ? new GatewayClients(upstreams, upstreams)
        : new GatewayClients(
            upstreams, new HttpClient(scope, client(config), machines.own().get().tls()));
  }

  /** Strangers reach this door, and what its metrics tell of tenants is not for them. */
  private static Access access(
      GatewayConfig config, List<String> local, Scope scope, @Nullable Verifier verifier) {
    HostPort bind = config.address().bind();
    boolean loopback = new Bind.Tcp(bind.host(), bind.port()).local();
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
    DoorAddress address = config.address();
    HostPort bind = address.bind();
    return limited(config, bind.host(), bind.port(), config.maxConnectionsPerAddress())
        .secured(address.tlsCertificate(), address.tlsKey())
        .besides(address.uds(), address.udsUids());
  }

  /** What may be inside, and what has come but was not judged. */
  private static int insideMax(GatewayConfig config) {
    return config.limits().inflight() + config.drr().workQueue();
  }

  private static HttpServerConfig limited(
      GatewayConfig config, String host, int port, int perAddress) {
    Limits usual = Limits.HARDENED;
    var limits =
        new Limits(
            config.maxConnections(),
            perAddress,
            usual.headBytesMax(),
            usual.fieldsMax(),
            NO_BODY_CAP,
            insideMax(config),
            0);
    return HttpServerConfig.on(host, port)
        .with(limits)
        .with(
            new Timeouts(
                config.readTimeout(), config.writeTimeout(), config.idleTimeout(), REQUEST_MAX))
        .withLoops(config.loops())
        .withAccessLog(false);
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
