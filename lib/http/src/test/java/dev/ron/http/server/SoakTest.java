package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.Seed;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that vanish, stall and send garbage, beside clients that behave: those that behave are
 * served, and memory is where it was.
 */
@Tag("long")
final class SoakTest {
  private static final Duration WARM = Duration.ofSeconds(10);
  private static final Duration SOAK = Duration.ofSeconds(Long.getLong("ron.soak.seconds", 40));
  private static final long GROWTH_MAX = 8L * 1024 * 1024;
  private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

  private final AtomicLong served = new AtomicLong();
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();

  @Test
  void memoryIsFlatUnderEveryKindOfBadClient() throws Exception {
    Seed seed = Seed.fresh();
    System.out.println("soak, " + seed);
    var timeouts =
        new Timeouts(
            Duration.ofMillis(300),
            Duration.ofMillis(300),
            Duration.ofSeconds(3),
            Duration.ofSeconds(3));
    var config = HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN).with(timeouts);
    try (var server = new TestServer(config.withAccessLog(false), routes())) {
      long warm = run(server, seed.value(), WARM);
      long after = run(server, seed.value() + 1, SOAK);
      long heap = heapAfterGc();
      assertThat(wrong.get()).as(seed.toString()).isNull();
      assertThat(served.get()).isGreaterThan(1000);
      System.out.printf(
          "served %d, rounds %d, direct %d then %d, heap after %d%n",
          served.get(), rounds.get(), warm, after, heap);
      assertThat(after - warm).as("direct memory, " + seed).isLessThan(GROWTH_MAX);
      assertThat(heap).as("heap").isLessThan(64L * 1024 * 1024);
      assertThat(server.metric("inflight_requests{route=\"/hello\"}")).isZero();
      assertThat(server.metric("inflight_requests{route=\"/flood\"}")).isZero();
      assertThat(server.metric("inflight_requests{route=\"/count\"}")).isZero();
    }
  }

  /** Runs all kinds of clients for a while; answers the direct memory in use at the end. */
  private long run(TestServer server, long seed, Duration howLong) throws Exception {
    long until = System.nanoTime() + howLong.toNanos();
    var clients = new ArrayList<Thread>();
    for (int i = 0; i < 24; i++) {
      var random = new Random(seed * 31 + i);
      int kind = i % 6;
      clients.add(
          // platform threads, so that the clients do not starve the server's virtual ones
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (System.nanoTime() < until && wrong.get() == null) {
                      act(server, kind, random);
                      rounds.incrementAndGet();
                    }
                  }));
    }
    for (Thread client : clients) {
      client.join();
    }
    long giveUp = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (server.metric("http_connections") > 0 && System.nanoTime() < giveUp) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(server.metric("http_connections")).as("connections left").isZero();
    return PlatformDependent.usedDirectMemory();
  }

  private void act(TestServer server, int kind, Random random) {
    try (var client = server.connect()) {
      switch (kind) {
        case 0, 1 -> behave(client);
        case 2 -> vanish(client, random);
        case 3 -> stall(client, random);
        case 4 -> garbage(client, random);
        default -> takeNothing(client, random);
      }
    } catch (IOException expectedOfBadClients) {
      if (kind < 2) {
        wrong.compareAndSet(null, expectedOfBadClients);
      }
    } catch (Exception | AssertionError e) {
      wrong.compareAndSet(null, e);
    }
  }

  private void behave(RawClient client) throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(client.send(HELLO).answer()).contains(" 200 ").endsWith("hello");
      String body = "x".repeat(5000);
      client.send("POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + body);
      assertThat(client.answer()).contains(" 200 ").endsWith("5000");
      served.addAndGet(2);
    }
  }

  private static void vanish(RawClient client, Random random) throws Exception {
    String whole =
        "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + "x".repeat(500);
    client.send(whole.substring(0, 1 + random.nextInt(whole.length())));
    client.socket().setSoLinger(random.nextBoolean(), 0);
    // A pace the limit on requests in flight can take; beyond it the others would rightly get 429.
    LockSupport.parkNanos(5_000_000);
  }

  private static void stall(RawClient client, Random random) throws Exception {
    String whole = "POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab";
    client.send(whole.substring(0, 1 + random.nextInt(whole.length())));
    client.rest(); // until the server has had enough
  }

  private static void garbage(RawClient client, Random random) throws Exception {
    var bytes = new byte[1 + random.nextInt(4000)];
    random.nextBytes(bytes);
    if (random.nextBoolean()) {
      client.send(HELLO.substring(0, random.nextInt(HELLO.length())));
    } else if (random.nextBoolean()) {
      client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }
    client.socket().getOutputStream().write(bytes);
    client.finishSending();
    client.rest();
  }

  private static void takeNothing(RawClient client, Random random) throws Exception {
    client.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n");
    client.socket().getInputStream().readNBytes(random.nextInt(200_000));
    LockSupport.parkNanos(Duration.ofMillis(400 + random.nextInt(300)).toNanos());
  }

  private static Routes routes() {
    Inline hello = x -> x.answer(Answer.text(200, "hello"));
    Blocking count =
        x -> {
          try (InputStream in = x.body().stream()) {
            return Answer.text(200, "" + in.readAllBytes().length);
          }
        };
    Blocking flood =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                sink -> {
                  var step = new byte[64 * 1024];
                  for (int i = 0; i < 1000; i++) {
                    sink.write(step);
                  }
                  return new Headers();
                });
    return Routes.of()
        .get("/hello", "hello", hello)
        .post("/count", "count", count)
        .get("/flood", "flood", flood);
  }

  private static long heapAfterGc() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
