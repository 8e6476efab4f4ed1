package dev.ron.http.server;

import dev.ron.http.Transport;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.fault.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one server.
 *
 * <p>Threading: immutable.
 *
 * @param socket where it listens besides, in cleartext: the bytes do not leave this machine
 * @param loops event loops; 0 for one per core, at most 8
 * @param version what {@code /version} says
 * @param tls certificate and key, or null for cleartext
 * @param access names it answers to, and who sees its metrics
 * @param dialect paths, service routes and error format, where they are not Ron's own
 * @param refusals told of every fault that becomes an answer; on an event loop
 */
public record HttpServerConfig(
    Bind bind,
    Bind.@Nullable Unix socket,
    Transport transport,
    int loops,
    Timeouts timeouts,
    Limits limits,
    Cors cors,
    boolean accessLog,
    String version,
    @Nullable Tls tls,
    Access access,
    Dialect dialect,
    Consumer<Fault> refusals) {
  private static final int LOOPS_MAX = 64;

  public HttpServerConfig {
    if (loops < 0 || loops > LOOPS_MAX) {
      throw new IllegalArgumentException("loops = " + loops + ", must be 0 to " + LOOPS_MAX);
    }
    if (version.isBlank()) {
      throw new IllegalArgumentException("version is blank");
    }
    if (bind instanceof Bind.Unix && socket != null) {
      throw new IllegalArgumentException("bind and socket are both Unix sockets");
    }
    if ((bind instanceof Bind.Unix || socket != null) && transport == Transport.NIO) {
      throw new IllegalArgumentException(
          "bind = a Unix socket with transport = nio, which cannot tell who connects");
    }
  }

  public static HttpServerConfig on(String host, int port) {
    return on(new Bind.Tcp(host, port));
  }

  public static HttpServerConfig on(Bind bind) {
    return new HttpServerConfig(
        bind,
        null,
        Transport.AUTO,
        0,
        Timeouts.DEFAULT,
        Limits.HARDENED,
        Cors.DENY,
        true,
        "0.1.0",
        null,
        Access.STANDARD,
        Dialect.STANDARD,
        _ -> {});
  }

  public HttpServerConfig with(Timeouts other) {
    return new HttpServerConfig(
        bind, socket, transport, loops, other, limits, cors, accessLog, version, tls, access,
        dialect, refusals);
  }

  public HttpServerConfig with(Limits other) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, other, cors, accessLog, version, tls, access,
        dialect, refusals);
  }

  public HttpServerConfig with(Cors other) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, limits, other, accessLog, version, tls, access,
        dialect, refusals);
  }

  public HttpServerConfig with(Transport other) {
    return new HttpServerConfig(
        bind, socket, other, loops, timeouts, limits, cors, accessLog, version, tls, access,
        dialect, refusals);
  }

  public HttpServerConfig with(Tls other) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, limits, cors, accessLog, version, other, access,
        dialect, refusals);
  }

  /** Over TLS with these files, and in cleartext without. */
  public HttpServerConfig secured(Optional<Path> certificates, Optional<Path> key)
      throws IOException {
    return certificates.isPresent() && key.isPresent()
        ? with(new Tls(certificates.get(), key.get()))
        : this;
  }

  /** The same for a door that programs of others call, by {@link Tls#forAnyClient}. */
  public HttpServerConfig securedForAnyClient(Optional<Path> certificates, Optional<Path> key)
      throws IOException {
    return certificates.isPresent() && key.isPresent()
        ? with(Tls.forAnyClient(certificates.get(), key.get()))
        : this;
  }

  /** At a Unix socket too, if there is one, for processes of these users. */
  public HttpServerConfig besides(Optional<Path> path, Collection<Integer> uids) {
    return path.isEmpty()
        ? this
        : new HttpServerConfig(
            bind,
            new Bind.Unix(path.get(), Set.copyOf(uids)),
            transport,
            loops,
            timeouts,
            limits,
            cors,
            accessLog,
            version,
            tls,
            access,
            dialect,
            refusals);
  }

  public HttpServerConfig with(Access other) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, limits, cors, accessLog, version, tls, other,
        dialect, refusals);
  }

  public HttpServerConfig with(Dialect other) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, limits, cors, accessLog, version, tls, access,
        other, refusals);
  }

  public HttpServerConfig withLoops(int other) {
    return new HttpServerConfig(
        bind, socket, transport, other, timeouts, limits, cors, accessLog, version, tls, access,
        dialect, refusals);
  }

  public HttpServerConfig withAccessLog(boolean on) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, limits, cors, on, version, tls, access, dialect,
        refusals);
  }

  /** For a service that counts the server's own refusals among its own. */
  public HttpServerConfig onRefusal(Consumer<Fault> told) {
    return new HttpServerConfig(
        bind, socket, transport, loops, timeouts, limits, cors, accessLog, version, tls, access,
        dialect, told);
  }

  /** The Unix socket it listens at, if it does. */
  public Optional<Bind.Unix> unix() {
    return bind instanceof Bind.Unix alone ? Optional.of(alone) : Optional.ofNullable(socket);
  }

  int loopCount() {
    return loops > 0 ? loops : Math.min(8, Runtime.getRuntime().availableProcessors());
  }
}
