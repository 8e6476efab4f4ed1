package dev.ron.gateway;

import dev.ron.http.Headers;
import dev.ron.http.server.Access;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * A real server behind the gateway.
 *
 * <p>Threading: thread-safe, as the server is.
 */
final class Backend implements AutoCloseable {
  private final Scope scope = Scope.of("backend", World.real(Log.silent()));
  private final HttpServer server;
  final AtomicInteger running = new AtomicInteger();
  final AtomicInteger runningMax = new AtomicInteger();
  final AtomicInteger served = new AtomicInteger();
  final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();
  private final Duration workTime;

  /**
   * @param workTime what {@code /work} takes, give or take a fifth
   */
  Backend(Duration workTime, int port) throws Exception {
    this.workTime = workTime;
    var limits = new Limits(20_000, 16 * 1024, 100, 1L << 40, 20_000, 0);
    var timeouts =
        new Timeouts(
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofMinutes(5),
            Duration.ofMinutes(5));
    var config =
        HttpServerConfig.on("127.0.0.1", port)
            .with(limits)
            .with(timeouts)
            .with(new Access(List.of("*"), Guard.OPEN, true))
            .withAccessLog(false);
    server = new HttpServer(scope, config, routes());
    server.open();
  }

  Backend() throws Exception {
    this(Duration.ofMillis(10), 0);
  }

  int port() {
    return server.port();
  }

  private Routes routes() {
    Blocking mirror =
        x ->
            Answer.stream(
                200,
                Headers.of("X-Length", String.valueOf(x.headers().first("Content-Length"))),
                sink -> {
                  var step = new byte[64 * 1024];
                  try (InputStream in = x.body().stream()) {
                    for (int read = in.read(step); read >= 0; read = in.read(step)) {
                      sink.write(step, 0, read);
                    }
                  }
                  Headers last = x.body().trailers();
                  return last == null ? new Headers(1) : last;
                });
    Blocking echo = Backend::echo;
    return Routes.of()
        .any("/", "root", echo)
        .any("/mirror", "mirror", mirror)
        .any("/work", "work", (Inline) this::work)
        .any("/hang", "hang", (Inline) _ -> hanging.incrementAndGet())
        .get("/bytes/{count}", "bytes", (Blocking) Backend::bytes)
        .get("/events", "events", (Inline) this::events)
        .any("/{rest...}", "echo", echo);
  }

  /** Says what it was asked, line by line. */
  private static Answer echo(Exchange x) throws Exception {
    var text = new StringBuilder(x.method() + " " + x.head().target() + "\n");
    x.headers().forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    byte[] body = x.body().collect(1 << 20);
    text.append("body ").append(body.length).append('\n');
    return Answer.text(200, text.toString());
  }

  private void work(Exchange x) {
    int now = running.incrementAndGet();
    runningMax.accumulateAndGet(now, Math::max);
    // Places must not march in step, or everybody would wait for a whole turn.
    long nanos = workTime.toNanos();
    RandomGenerator random = new java.util.SplittableRandom(turns.incrementAndGet());
    long took = nanos - nanos / 5 + random.nextLong(Math.max(1, nanos * 2 / 5));
    x.body()
        .collect(
            1 << 20,
            _ -> {
              var _ =
                  x.loop()
                      .schedule(
                          () -> {
                            running.decrementAndGet();
                            served.incrementAndGet();
                            x.answer(Answer.text(200, "done"));
                          },
                          took,
                          TimeUnit.NANOSECONDS);
            });
  }

  private static Answer bytes(Exchange x) throws Exception {
    int count = Integer.parseInt(x.param("count"));
    return Answer.bytes(200, "application/octet-stream", new byte[count]);
  }

  /** An event each 20 ms until nobody listens. */
  private void events(Exchange x) {
    var out = x.begin(200, Headers.of("Content-Type", "text/event-stream"), -1);
    var ticking =
        x.loop()
            .scheduleAtFixedRate(
                () ->
                    out.write(
                        x.channel()
                            .alloc()
                            .buffer()
                            .writeBytes(
                                "data: tick\n\n"
                                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII))),
                0,
                20,
                TimeUnit.MILLISECONDS);
    x.whenOver(() -> ticking.cancel(false));
  }

  @Override
  public void close() {
    try {
      server.close(Deadline.in(Duration.ZERO, scope.time()));
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while closing", stop);
    }
  }
}
