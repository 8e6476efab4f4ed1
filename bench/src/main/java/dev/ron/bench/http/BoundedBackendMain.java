package dev.ron.bench.http;

import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A server that works on a few requests at a time and lets the others wait in the order they came:
 * what a service with a small pool of database connections looks like from outside.
 *
 * <p>It ends when its standard input does.
 *
 * <p>Threading: everything on one event loop.
 */
public final class BoundedBackendMain {
  /** Give or take a fifth, so that the places do not march in step. */
  static final Duration WORK = Duration.ofMillis(20);

  private static final Duration DRAIN = Duration.ofMillis(100);

  private final ArrayDeque<Exchange> line = new ArrayDeque<>();
  private final SplittableRandom random = new SplittableRandom(42);
  private int free;

  private BoundedBackendMain(int places) {
    this.free = places;
  }

  /**
   * Serves until standard input ends.
   *
   * @param args the port and the number of places
   */
  public static void main(String[] args) throws Exception {
    var scope = Scope.of("places", World.real(Log.silent()));
    var places = new BoundedBackendMain(Integer.parseInt(args[1]));
    var config =
        HttpServerConfig.on("127.0.0.1", Integer.parseInt(args[0]))
            .with(Limits.OPEN)
            .withLoops(1)
            .withAccessLog(false);
    var server =
        new HttpServer(scope, config, Routes.of().get("/work", "work", (Inline) places::take));
    server.open();
    System.in.transferTo(OutputStream.nullOutputStream());
    server.close(Deadline.in(DRAIN, scope.time()));
  }

  private void take(Exchange exchange) {
    line.add(exchange);
    next();
  }

  private void next() {
    while (free > 0 && !line.isEmpty()) {
      free--;
      Exchange exchange = line.remove();
      long nanos = WORK.toNanos();
      long took = nanos - nanos / 5 + random.nextLong(nanos * 2 / 5);
      var _ = exchange.loop().schedule(() -> done(exchange), took, TimeUnit.NANOSECONDS);
    }
  }

  private void done(Exchange exchange) {
    free++;
    exchange.answer(Answer.text(200, "done"));
    next();
  }
}
