package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawFrames;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slow peer is cut at the timeout, not before. */
final class ServerTimeoutsTest {
  private static final Duration READ = Duration.ofMillis(200);
  private static final Duration IDLE = Duration.ofMillis(400);

  /**
   * How exactly a limit is kept is shown by EventLoopContextTest, in virtual time; here it is kept
   * at all.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    Blocking count = x -> Answer.text(200, "" + x.body().collect(1 << 20).length);
    Inline hello = x -> x.answer(Answer.text(200, "hello"));
    Blocking flood =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                sink -> {
                  var step = new byte[64 * 1024];
                  while (true) { // only the peer's silence ends this
                    sink.write(step);
                  }
                });
    var timeouts = new Timeouts(READ, READ, IDLE, Duration.ofSeconds(20));
    server =
        new TestServer(
            HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN).with(timeouts),
            Routes.of()
                .post("/count", "count", count)
                .get("/hello", "hello", hello)
                .get("/flood", "flood", flood));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static void assertCutAfter(Duration limit, Instant begun) {
    assertThat(Duration.between(begun, Instant.now())).isBetween(limit, PATIENCE);
  }

  @Test
  void aHeadSentDripByDripIsCut() throws Exception {
    Instant begun = Instant.now();
    try (var client = server.connect()) {
      client.send("GET /hello HT");
      Thread drip =
          Thread.startVirtualThread(
              () -> {
                while (!client.socket().isClosed()) {
                  client.sendAnyway("X");
                  java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                }
              });
      assertThat(client.answer()).contains(" 408 ").contains("slow-sender");
      assertThat(client.rest()).isIn("", "<reset>");
      assertCutAfter(READ, begun);
      client.socket().close();
      drip.join();
    }
  }

  @Test
  @SeedRow({"E05", "G80"})
  void aBodyThatStopsIsCut() throws Exception {
    for (String framing : new String[] {"Content-Length: 9", "Transfer-Encoding: chunked"}) {
      Instant begun = Instant.now();
      try (var client = server.connect()) {
        client.send("POST /count HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n5");
        assertThat(client.answer()).contains(" 408 ").contains("slow-sender");
        assertThat(client.rest()).isIn("", "<reset>");
        assertCutAfter(READ, begun);
      }
    }
  }

  @Test
  @SeedRow("E43")
  void aConnectionWithoutRequestsIsClosed() throws Exception {
    Instant begun = Instant.now();
    try (var fresh = server.connect();
        var used = server.connect()) {
      assertThat(used.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").answer()).endsWith("hello");
      assertThat(fresh.rest()).isEmpty();
      assertThat(used.rest()).isEmpty();
      assertCutAfter(IDLE, begun);
    }
  }

  @Test
  @SeedRow({"G40", "E70", "G55", "G65"})
  void aPeerThatTakesNothingIsCut() throws Exception {
    double before = server.metric("io_timeouts_total{op=\"write\"}");
    try (var client = server.connect()) {
      client.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n");
      Instant giveUp = Instant.now().plus(PATIENCE);
      while (server.metric("io_timeouts_total{op=\"write\"}") == before
          && Instant.now().isBefore(giveUp)) {
        LockSupport.parkNanos(2_000_000);
      }
      assertThat(server.metric("io_timeouts_total{op=\"write\"}")).isEqualTo(before + 1);
    }
  }

  /** One that opens wide windows and reads nothing; one that opens none after the first. */
  @ParameterizedTest
  @ValueSource(ints = {1 << 30, 1 << 14})
  void aPeerOfHttp2ThatTakesNothingIsCutAndGivesItsPlaceBack(int window) throws Exception {
    double before = server.metric("io_timeouts_total{op=\"write\"}");
    try (var client = server.connect()) {
      var frames = new RawFrames(client.socket(), client.socket().getInputStream(), window);
      frames.frame(RawFrames.HEADERS, 5, 1, RawFrames.get("/flood")).flush();
      await(() -> server.metric("io_timeouts_total{op=\"write\"}") == before + 1);
      await(() -> server.metric("http_connections") == 0);
      await(() -> server.metric("inflight_requests{route=\"flood\"}") == 0);
    }
  }

  private static void await(BooleanSupplier done) {
    Instant giveUp = Instant.now().plus(PATIENCE);
    while (!done.getAsBoolean() && Instant.now().isBefore(giveUp)) {
      LockSupport.parkNanos(2_000_000);
    }
    assertThat(done.getAsBoolean()).isTrue();
  }

  @Test
  void aPrefaceOfHttp2ThatStopsIsCut() throws Exception {
    try (var client = server.connect()) {
      client.send("PRI * HTT");
      assertThat(client.answer()).contains(" 408 ");
    }
  }
}
