package dev.ron.http.server;

import dev.ron.http.Transport;
import dev.ron.http.server.accept.ConnectionSetup;
import dev.ron.http.server.accept.Connections;
import dev.ron.http.server.accept.UnixFolder;
import dev.ron.http.server.dispatch.AccessCheck;
import dev.ron.http.server.dispatch.BodyCap;
import dev.ron.http.server.dispatch.ConnectionLimit;
import dev.ron.http.server.dispatch.DecodeLayer;
import dev.ron.http.server.dispatch.Dispatch;
import dev.ron.http.server.dispatch.GuardLayer;
import dev.ron.http.server.dispatch.HostRule;
import dev.ron.http.server.dispatch.Inflight;
import dev.ron.http.server.dispatch.InflightLimit;
import dev.ron.http.server.dispatch.Layer;
import dev.ron.http.server.dispatch.OperationalLimit;
import dev.ron.http.server.dispatch.RateLimit;
import dev.ron.http.server.dispatch.RequestDeadline;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.exchange.DoorPlaces;
import dev.ron.http.server.exchange.SecurityHeaders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.RouteTable;
import dev.ron.http.server.route.Routes;
import dev.ron.http.server.route.ServiceRoutes;
import dev.ron.http.tls.Tls;
import dev.ron.http.wire.HeadParser;
import dev.ron.kernel.Scope;
import dev.ron.kernel.limit.ConcurrencyLimit;
import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.tenant.TenantBudgets;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTurns;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server as a door of a supervisor's tree.
 *
 * <p>Threading: thread-safe; opened and closed by the tree, once each.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class HttpServer implements Door {
  private static final int BACKLOG = 1024;
  private static final int STEP_BYTES = 64 * 1024;

  /** After the deadline a loop gets this long to close its sockets. */
  private static final Duration LETTING_GO = Duration.ofSeconds(2);

  /** A loop checks a few times a second; a cut request gets this long to notice. */
  private static final Duration CUTTING = Duration.ofMillis(500);

  /** Turns end at the first wait, so these are at work: twice the processors keep them busy. */
  private static final int TURNS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  /**
   * Fewer leave the processors idle while a flush is under way, more make a quiet tenant wait for
   * their answers and empty the line: with 48 on two processors the shares were missed.
   */
  private static final int PLACES = 8 * Runtime.getRuntime().availableProcessors();

  private final HttpServerConfig config;
  private final Scope scope;
  private final ServerContext context;
  private final Connections connections;
  private final RateLimit rate;
  private final Gate sent;
  private volatile boolean forced;
  private volatile @Nullable EventLoopGroup loops;
  private volatile @Nullable Channel listener;
  private volatile @Nullable Channel socketListener;

  /** A server that takes every request and no coded body. */
  public HttpServer(Scope scope, HttpServerConfig config, Routes routes) {
    this(scope, config, routes, Guard.OPEN, Decoders.NONE);
  }

  public HttpServer(
      Scope scope, HttpServerConfig config, Routes routes, Guard guard, Decoders decoders) {
    this.config = config;
    this.scope = scope;
    this.connections = new Connections(config.limits());
    this.sent = new Gate(scope.time());
    this.rate = new RateLimit(scope.time(), config.limits().requestsPerSecondMax());
    var all = new ArrayList<Route>(routes.all());
    if (config.dialect().serviceRoutes()) {
      all.addAll(ServiceRoutes.of(scope, config.version(), routes.all()));
    }
    var table = new RouteTable(all, scope.counters());
    var inflight = new Inflight(scope.time());
    this.context =
        new ServerContext(
            config,
            scope,
            table,
            new HeadParser(config.limits().fieldsMax(), config.dialect().paths()),
            new Dispatch(
                table,
                new AccessCheck(
                    HostRule.of(config.bind(), config.access().hosts()),
                    new OperationalLimit(scope.time(), scope.chance()),
                    config.access().detailsOn(config.bind()),
                    config.unix().map(config.access()::detailsOn).orElse(null)),
                layers(scope, config, rate, guard, decoders),
                config.cors(),
                inflight,
                scope.service()),
            inflight,
            budgets(scope),
            new DoorPlaces(PLACES, tenant -> scope.tenants().get().weight(tenant)),
            new TenantTurns(TURNS, tenant -> scope.tenants().get().weight(tenant)),
            SecurityHeaders.own(config.tls() != null),
            SecurityHeaders.relayed(config.tls() != null));
    scope
        .metrics()
        .sampled(
            "http_connections", "Open connections.", sample -> sample.call(connections.count()));
  }

  private static TenantBudgets budgets(Scope scope) {
    var budgets = new TenantBudgets(scope.time(), scope.tenants());
    for (TenantLimit limit : TenantLimit.AT_DOORS) {
      scope.registry().tenantUse(limit, tenant -> budgets.use(tenant, limit));
    }
    return budgets;
  }

  /** The order is the contract: connections, sizes, coding, fairness, time, rights, tenants. */
  private static List<Layer> layers(
      Scope scope, HttpServerConfig config, RateLimit rate, Guard guard, Decoders decoders) {
    Limits limits = config.limits();
    var layers = new ArrayList<Layer>();
    layers.add(new ConnectionLimit(limits.connectionsMax()));
    layers.add(new BodyCap());
    layers.add(new DecodeLayer(decoders));
    layers.add(rate);
    layers.add(new InflightLimit(ConcurrencyLimit.fixed(scope.time(), limits.inflightMax())));
    layers.add(new RequestDeadline(scope.time(), config.timeouts().request()));
    layers.add(new GuardLayer(guard));
    return layers;
  }

  @Override
  public void open() throws Exception {
    Transport transport = config.transport().resolved();
    var threads = new DefaultThreadFactory(scope.service() + "/http-loop", true);
    var group =
        new MultiThreadIoEventLoopGroup(config.loopCount(), threads, transport.ioHandlers());
    loops = group;
    try {
      var bootstrap =
          new ServerBootstrap()
              .group(group)
              .option(ChannelOption.SO_BACKLOG, BACKLOG)
              .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
              .childOption(ChannelOption.AUTO_CLOSE, true)
              .childOption(
                  ChannelOption.WRITE_BUFFER_WATER_MARK,
                  new WriteBufferWaterMark(STEP_BYTES, 2 * STEP_BYTES))
              .childHandler(new ConnectionSetup(context, connections));
      if (config.socket() != null) {
        socketListener = bind(bootstrap.clone(), config.socket(), transport);
        scope.log().info("listening", "address", config.socket().socket(), "transport", transport);
      }
      listener = bind(bootstrap, config.bind(), transport);
    } catch (Exception e) {
      group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
      config
          .unix()
          .filter(_ -> socketListener != null)
          .map(Bind.Unix::socket)
          .ifPresent(UnixFolder::remove);
      throw e;
    }
    scope.log().info("listening", "address", address(), "transport", transport);
  }

  private static Channel bind(ServerBootstrap bootstrap, Bind at, Transport transport)
      throws Exception {
    return switch (at) {
      case Bind.Tcp(String host, int port) -> {
        bootstrap.channelFactory(transport.serverSockets());
        bootstrap.option(ChannelOption.SO_REUSEADDR, true);
        bootstrap.childOption(ChannelOption.TCP_NODELAY, true);
        transport.boundSendBuffer(bootstrap);
        yield bound(bootstrap, new InetSocketAddress(host, port));
      }
      case Bind.Unix unix -> {
        bootstrap.channelFactory(transport.unixServerSockets());
        UnixFolder.prepare(unix);
        Channel bound =
            bootstrap.bind(new DomainSocketAddress(unix.socket().toFile())).sync().channel();
        UnixFolder.restrict(unix);
        yield bound;
      }
    };
  }

  /** The native transports fail with a class of their own, which says the call that failed. */
  private static Channel bound(ServerBootstrap bootstrap, InetSocketAddress at) throws Exception {
    ChannelFuture bound = bootstrap.bind(at).await();
    if (bound.cause() instanceof IOException refused && !(refused instanceof BindException)) {
      throw (IOException) new BindException(at + ": " + refused.getMessage()).initCause(refused);
    }
    return bound.sync().channel();
  }

  /** Another cap on requests a second, 0 for none, from the next request on. */
  public void rate(int perSecond) {
    rate.change(perSecond);
  }

  /** Where it listens, with the port the system chose. */
  public SocketAddress address() {
    return Objects.requireNonNull(listener, "the server is not open").localAddress();
  }

  /** Whether it listens; then it has an address. */
  public boolean isOpen() {
    Channel bound = listener;
    return bound != null && bound.isOpen();
  }

  /** Whether clients reach it by {@code https}. */
  public boolean isSecured() {
    return config.tls() != null;
  }

  /**
   * Reads certificate and key anew: tools that renew certificates replace them in place. What
   * cannot be read changes nothing.
   */
  public void readCertificateAgain() {
    Tls tls = config.tls();
    if (tls == null) {
      return;
    }
    try {
      tls.reload();
    } catch (IOException unreadable) {
      scope.log().warn("certificate-kept", "why", unreadable);
    }
  }

  /** What it shows to clients who reach it by {@code https}. */
  public Optional<X509Certificate> certificate() {
    return Optional.ofNullable(config.tls()).flatMap(Tls::certificate);
  }

  public int port() {
    return ((InetSocketAddress) address()).getPort();
  }

  /**
   * Everything new is refused with {@code draining} from now on; health, readiness and metrics are
   * answered until the end. Connections without a request are closed.
   */
  @Override
  public void stopIntake() {
    context.inflight().drain();
    connections.drain();
  }

  @Override
  public Requests drain(Deadline deadline) throws InterruptedException {
    stopIntake();
    Requests requests = context.inflight().await(deadline);
    if (requests.cut() == 0) {
      int unsent = connections.awaitSent(deadline, sent);
      forced = unsent > 0;
      return new Requests(Math.max(0, requests.answered() - unsent), unsent);
    }
    forced = true;
    context.inflight().cut(Deadline.in(CUTTING, scope.time()));
    return requests;
  }

  @Override
  public void hasten() {
    context.inflight().hasten();
    sent.open();
  }

  @Override
  public void release() throws InterruptedException {
    Stream.of(Optional.ofNullable(listener), Optional.ofNullable(socketListener))
        .flatMap(Optional::stream)
        .forEach(Channel::close);
    connections.closeAll(forced);
    EventLoopGroup group = loops;
    if (group != null) {
      // A quiet moment lets answers that were just written reach the socket.
      group.shutdownGracefully(0, LETTING_GO.toMillis(), TimeUnit.MILLISECONDS);
      group.awaitTermination(LETTING_GO.toMillis(), TimeUnit.MILLISECONDS);
    }
    config.unix().map(Bind.Unix::socket).ifPresent(UnixFolder::remove);
  }

  /**
   * Drains and releases everything, for a server without a tree.
   *
   * @return how many requests were cut
   */
  public int close(Deadline deadline) throws InterruptedException {
    int cut = drain(deadline).cut();
    release();
    return cut;
  }
}
