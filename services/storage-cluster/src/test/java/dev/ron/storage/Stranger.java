package dev.ron.storage;

import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that is no node, and writes down what nodes say to it.
 *
 * <p>Threading: thread-safe.
 */
final class Stranger implements AutoCloseable {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final Tree tree;
  private final HttpServer door;

  /** With TLS, if there are settings of it: then with a certificate, and asking for none. */
  Stranger(World world, int port, String... tls) throws Exception {
    HttpServerConfig config = HttpServerConfig.on("127.0.0.1", port);
    if (tls.length > 0) {
      config = config.with(new Tls(file(tls[0]), file(tls[1])));
    }
    Inline write =
        exchange -> {
          heard.add(exchange.path() + " " + exchange.headers().first("Authorization"));
          exchange.answer(Answer.text(200, "{}"));
        };
    Scope scope = Scope.of("stranger", world);
    Routes routes = Routes.of().add(Route.of("GET", "/peer/status", "any", write));
    this.door = new HttpServer(scope, config, routes);
    this.tree = Supervisor.named("stranger").door("http", door).start(scope);
  }

  private static Path file(String setting) {
    return Path.of(setting.substring(setting.indexOf('=') + 1));
  }

  int port() {
    return door.port();
  }

  List<String> heard() {
    return List.copyOf(heard);
  }

  @Override
  public void close() {
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
