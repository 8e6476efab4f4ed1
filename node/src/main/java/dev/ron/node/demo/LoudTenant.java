package dev.ron.node.demo;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A backend that does four things at a time, a tenant with many connections and one with a single
 * connection: first come first served, then in turns.
 */
final class LoudTenant implements Chapter {
  private static final int PLACES = 4;
  private static final int LOUD = 64;
  private static final int ASKS = 20;
  private static final Duration WORK = Duration.ofMillis(10);
  private static final Duration RELOAD_WITHIN = Duration.ofSeconds(30);
  private static final Duration DRAIN = Duration.ofSeconds(2);

  private final World world;

  /** Each reload has a path of its own, so that an answer shows which configuration is in force. */
  private int reloads;

  LoudTenant(World world) {
    this.world = world;
  }

  @Override
  public String title() {
    return "One loud tenant, one quiet one";
  }

  @Override
  public String watch() {
    return "Overview on the dashboard: the tenants at the gateway";
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    HttpServer backend = backend();
    backend.open();
    try {
      reload(node, backend.port(), true);
      Duration alone = slowest(node, new AtomicBoolean());
      say.line("  quiet tenant alone: nine of ten answers within %d ms", alone.toMillis());
      reload(node, backend.port(), false);
      Duration off = besideLoud(node);
      say.line("  beside %d loud connections, fairness off: %d ms", LOUD, off.toMillis());
      reload(node, backend.port(), true);
      Duration on = besideLoud(node);
      say.line("  fairness on: %d ms", on.toMillis());
      String text =
          "the quiet tenant waits %d ms without turns and %d ms with them (%d ms alone)"
              .formatted(off.toMillis(), on.toMillis(), alone.toMillis());
      return new ChapterResult(text, on.multipliedBy(2).compareTo(off) < 0);
    } finally {
      backend.stopIntake();
      backend.close(Deadline.in(DRAIN, world.time()));
    }
  }

  private HttpServer backend() {
    var places = new Semaphore(PLACES, true);
    Blocking work =
        _ -> {
          places.acquire();
          try {
            world.time().sleepUntil(world.time().now().plus(WORK));
          } finally {
            places.release();
          }
          return Answer.text(200, "done\n");
        };
    return new HttpServer(
        Scope.of("backend", world),
        HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN).withLoops(1).withAccessLog(false),
        Routes.of().get("/tour/{reload}", "work", work));
  }

  /** Routes and turns are read again on SIGHUP; nothing is restarted. */
  private void reload(DemoNode node, int port, boolean fair) throws Exception {
    reloads++;
    Files.writeString(
        node.config(),
        """
        [gateway.drr]
        enabled = %s
        tenant_header = "X-Tenant"
        [[gateway.routes]]
        prefix = "%s"
        upstreams = ["http://127.0.0.1:%d"]
        max_concurrent = %d
        auth = "none"
        """
            .formatted(fair, path(), port, PLACES));
    node.hangup();
    // A route that is not there yet is 404.
    Instant end = world.time().now().plus(RELOAD_WITHIN);
    while (node.askAs("probe", "gateway", path()) == 404) {
      if (world.time().now().isAfter(end)) {
        throw new IOException("the node did not read its configuration again on SIGHUP");
      }
      world.time().sleepUntil(world.time().now().plus(WORK));
    }
  }

  private String path() {
    return "/tour/" + reloads;
  }

  private Duration besideLoud(DemoNode node) throws InterruptedException, IOException {
    var over = new AtomicBoolean();
    List<Thread> loud = new ArrayList<>();
    String path = path();
    for (int i = 0; i < LOUD; i++) {
      loud.add(world.threads().start("demo/loud-" + i, () -> askUntil(node, path, over)));
    }
    try {
      return slowest(node, over);
    } finally {
      over.set(true);
      for (Thread one : loud) {
        one.join();
      }
    }
  }

  private static void askUntil(DemoNode node, String path, AtomicBoolean over) {
    while (!over.get()) {
      try {
        node.askAs("loud", "gateway", path);
      } catch (IOException | InterruptedException _) {
        return;
      }
    }
  }

  /** The p90 of the quiet tenant's answers. */
  private Duration slowest(DemoNode node, AtomicBoolean over)
      throws IOException, InterruptedException {
    var took = new ArrayList<Duration>();
    for (int ask = 0; ask < ASKS && !over.get(); ask++) {
      Instant began = world.time().now();
      node.askAs("quiet", "gateway", path());
      took.add(Duration.between(began, world.time().now()));
    }
    took.sort(null);
    return took.get(took.size() * 9 / 10);
  }
}
