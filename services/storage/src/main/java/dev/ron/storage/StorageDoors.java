package dev.ron.storage;

import dev.ron.config.DoorAddress;
import dev.ron.config.DoorSettings;
import dev.ron.config.value.HostPort;
import dev.ron.decode.DecodeLimits;
import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.exchange.GuardedDecoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PeerTls;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.storage.api.CountedDecoders;
import java.io.IOException;

/**
 * The doors of a storage, which differ in where they listen and which routes they have.
 *
 * <p>Threading: immutable.
 */
public final class StorageDoors {
  private final StorageConfig config;
  private final Scope scope;
  private final Limits limits;
  private final Timeouts timeouts;
  private final Guard guard;
  private final Decoders decoders;

  public StorageDoors(
      StorageConfig config, Scope scope, Limits limits, Guard guard, StorageMetrics metrics) {
    this.config = config;
    this.scope = scope;
    DoorSettings server = config.server();
    // The work queue decides which requests are refused, so a door lets in what it holds.
    this.limits =
        limits.bounded(
            server.maxConnections(),
            server.maxBodyBytes().bytes(),
            Math.max(server.maxInflight(), 2 * config.pools().work()),
            server.maxRps());
    this.timeouts = Timeouts.of(server.readTimeout(), server.writeTimeout(), server.idleTimeout());
    this.guard = guard;
    long bytes = config.sizes().putBytes().bytes();
    this.decoders = new CountedDecoders(new GuardedDecoders(DecodeLimits.capped(bytes)), metrics);
  }

  /** For clients. */
  public HttpServer http(Routes routes, Access access) throws IOException {
    DoorAddress address = config.address();
    var http =
        HttpServerConfig.on(address.bind().host(), address.bind().port())
            .secured(address.tlsCertificate(), address.tlsKey())
            .besides(address.uds(), address.udsUids())
            .with(limits)
            .with(timeouts)
            .with(access);
    return new HttpServer(scope, http, routes, guard, decoders);
  }

  /** For other nodes alone, where another door of this service is the clients'. */
  public HttpServer nodes(Routes routes) throws IOException {
    HostPort at = config.address().bind();
    var bind = HttpServerConfig.on(at.host(), at.port());
    Scope own = Scope.of(scope.service(), scope.world());
    return new HttpServer(own, bind.with(limits), routes, guard, decoders);
  }

  /** For clients that show a certificate of the same authority. */
  public HttpServer certified(String host, int port, PeerTls certificates, Routes routes)
      throws IOException {
    var http =
        HttpServerConfig.on(host, port).with(limits).with(timeouts).with(new Tls(certificates));
    Scope own = Scope.of(scope.service(), scope.world());
    return new HttpServer(own, http, routes, guard, decoders);
  }
}
