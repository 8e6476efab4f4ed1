package dev.ron.bench.http;

import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.usage.Usage;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Our HTTP server twice in a process of their own: with metering as a node has it, its journal
 * included, and without it. It ends when its standard input does.
 *
 * <p>Two processes would differ by more than metering costs: each JVM compiles and lays out the
 * same code in its own way.
 *
 * <p>Threading: owned by the main thread.
 */
public final class UsageTargetMain {
  private static final Duration DRAIN = Duration.ofSeconds(1);
  private static final Duration SEAL_EVERY = Duration.ofHours(1);

  private UsageTargetMain() {}

  /**
   * @param args the port with metering, the port without, the number of event loops of each, the
   *     folder of the journal
   */
  public static void main(String[] args) throws Exception {
    var scope = Scope.of("bench", World.real(Log.silent()));
    Usage usage = Usage.open(Scope.of("node", World.real(Log.silent())), Path.of(args[3]));
    Supervisor tasks = Supervisor.named("usage").drainWithin(DRAIN);
    Tree tree = usage.journaled(tasks, () -> SEAL_EVERY).start(scope);
    int loops = Integer.parseInt(args[2]);
    HttpServer plain = server(Scope.of("plain", World.real(Log.silent())), args[1], loops);
    HttpServer metered = server(scope.metered(usage.meter("bench")), args[0], loops);
    plain.open();
    metered.open();
    System.in.transferTo(OutputStream.nullOutputStream());
    metered.close(Deadline.in(DRAIN, scope.time()));
    plain.close(Deadline.in(DRAIN, scope.time()));
    tree.drain();
  }

  private static HttpServer server(Scope scope, String port, int loops) {
    Answer hello = Answer.text(200, HttpTargetMain.HELLO);
    return new HttpServer(
        scope,
        HttpServerConfig.on("127.0.0.1", Integer.parseInt(port))
            .with(Limits.OPEN)
            .withLoops(loops)
            .withAccessLog(false),
        Routes.of().get("/hello", "hello", (Inline) exchange -> exchange.answer(hello)));
  }
}
