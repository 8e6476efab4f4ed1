package dev.ron.http.testing;

import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.testkit.RawClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a free loopback port, with its scope and its log in hand. */
public final class TestServer implements AutoCloseable {
  public final List<LogLine> lines = new CopyOnWriteArrayList<>();
  public final Scope scope;
  public final HttpServer server;

  public TestServer(Routes routes) throws Exception {
    this(loopback().with(Limits.OPEN), routes);
  }

  /** A door on a free port that answers to the short names that raw requests have. */
  public static HttpServerConfig loopback() {
    return named(HttpServerConfig.on("127.0.0.1", 0));
  }

  private static HttpServerConfig named(HttpServerConfig config) {
    return config.access().hosts().isEmpty()
        ? config.with(new Access(List.of("a", "b"), config.access().details(), true))
        : config;
  }

  public TestServer(HttpServerConfig config, Routes routes) throws Exception {
    this(new SystemTime(), config, routes);
  }

  /**
   * @param time by which the server counts rates and deadlines; if it stands still, a rate is a
   *     number of requests, however slow the machine is
   */
  public TestServer(Time time, HttpServerConfig config, Routes routes) throws Exception {
    var log = new Log("test", LogLine.Level.DEBUG, java.time.Instant::now, lines::add);
    World real = World.real(log);
    scope =
        Scope.of(
            "test",
            new World(time, real.chance(), real.secrets(), real.disk(), real.threads(), log));
    server = new HttpServer(scope, named(config), routes);
    server.open();
  }

  public int port() {
    return server.port();
  }

  public RawClient connect() throws Exception {
    return new RawClient(port());
  }

  /** One request on its own connection. */
  public String ask(String request) throws Exception {
    try (var client = connect()) {
      return client.send(request).answer();
    }
  }

  public double metric(String line) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(text -> text.startsWith(line + " "))
        .mapToDouble(text -> Double.parseDouble(text.substring(line.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    try {
      server.close(Deadline.in(Duration.ofSeconds(2), scope.time()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
