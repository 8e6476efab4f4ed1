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
 * Our HTTP server in a process of its own, with metering as a node has it, its journal included, or
 * without it. It ends when its standard input does.
 *
 * <p>Threading: owned by the main thread.
 */
public final class UsageTargetMain {
  private static final Duration DRAIN = Duration.ofSeconds(1);
  private static final Duration SEAL_EVERY = Duration.ofHours(1);

  private UsageTargetMain() {}

  /**
   * @param args the port, the number of event loops, whether it meters, the folder for that
   */
  public static void main(String[] args) throws Exception {
    var scope = Scope.of("bench", World.real(Log.silent()));
    boolean meters = Boolean.parseBoolean(args[2]);
    Supervisor tasks = Supervisor.named("usage").drainWithin(DRAIN);
    Scope served = scope;
    if (meters) {
      Usage usage = Usage.open(Scope.of("node", World.real(Log.silent())), Path.of(args[3]));
      tasks = usage.journaled(tasks, () -> SEAL_EVERY);
      served = scope.metered(usage.meter("bench"));
    }
    Tree tree = tasks.start(scope);
    Answer hello = Answer.text(200, HttpTargetMain.HELLO);
    var server =
        new HttpServer(
            served,
            HttpServerConfig.on("127.0.0.1", Integer.parseInt(args[0]))
                .with(Limits.OPEN)
                .withLoops(Integer.parseInt(args[1]))
                .withAccessLog(false),
            Routes.of().get("/hello", "hello", (Inline) exchange -> exchange.answer(hello)));
    server.open();
    System.in.transferTo(OutputStream.nullOutputStream());
    server.close(Deadline.in(DRAIN, scope.time()));
    tree.drain();
  }
}
