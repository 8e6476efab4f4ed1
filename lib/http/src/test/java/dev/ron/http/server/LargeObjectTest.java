package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.FaultFormat;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawAsk;
import dev.ron.http.testing.RawAsk.Over;
import dev.ron.http.testing.RawAsk.Reply;
import dev.ron.http.testing.RawFrames;
import dev.ron.http.testing.TestServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects of 5 GiB: refused by their heads, sized by HEAD, and given all the time they need. */
final class LargeObjectTest {
  private static final long OBJECT = 5L << 30;
  private static final Duration STALL = Duration.ofSeconds(2);
  private static final Duration REQUEST = Duration.ofMillis(150);

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    try (var sparse = new RandomAccessFile(folder.resolve("object").toFile(), "rw")) {
      sparse.setLength(OBJECT);
    }
    server =
        new TestServer(
            TestServer.loopback()
                .with(Limits.OPEN)
                .with(new Timeouts(STALL, STALL, Duration.ofSeconds(20), REQUEST))
                .with(Dialect.raw(FaultFormat.PROBLEM)),
            Routes.of(Route.of(Routes.ANY, "/hurried", "hurried", (Blocking) LargeObjectTest::read))
                .add(
                    Route.all("object", (Blocking) LargeObjectTest::object)
                        .bodyBytesMax(OBJECT + (1 << 20))
                        .withCodedBody()
                        .withoutDeadline()));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static Answer object(Exchange x) throws Exception {
    Headers headers = Headers.of("x-amz-version-id", "7", "ETag", "\"e\"");
    return switch (x.path()) {
      case "/unsent" -> Answer.unsent(200, headers, OBJECT);
      case "/region" -> Answer.file(200, headers, region(0, OBJECT));
      case "/tail" -> Answer.file(206, headers, region(OBJECT - 3, 3));
      case "/stream" -> Answer.stream(200, headers, OBJECT, _ -> new Headers());
      case "/fresh" -> Answer.unsent(304, headers, OBJECT);
      case "/same" -> new Answer(304, headers, Body.Bytes.NONE);
      case "/refuse" -> throw Refusal.of(new HttpFault.Forbidden("by its head"));
      case "/flood" -> Answer.stream(200, headers, LargeObjectTest::flood);
      default -> read(x);
    };
  }

  private static Answer read(Exchange x) throws IOException {
    try (var in = x.body().stream()) {
      return Answer.text(200, "" + in.readAllBytes().length);
    }
  }

  private static Body.Region region(long offset, long length) throws IOException {
    return Body.Region.open(folder.resolve("object"), offset, length);
  }

  private static Headers flood(java.io.OutputStream sink) throws IOException {
    var step = new byte[64 * 1024];
    while (true) { // only the peer's silence ends this
      sink.write(step);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHeadSaysTheLengthOfWhatItDoesNotSend(Over over) throws Exception {
    for (String path : List.of("/unsent", "/region", "/stream")) {
      Reply reply = RawAsk.of("HEAD", path).of(server, over);
      assertThat(reply.status()).as(path).isEqualTo(200);
      assertThat(reply.field("Content-Length")).as(path).isEqualTo("" + OBJECT);
      assertThat(reply.field("x-amz-version-id")).as(path).isEqualTo("7");
      assertThat(reply.body()).as(path).isEmpty();
    }
  }

  @Test
  void theConnectionGoesOnBehindSuchAHead() throws Exception {
    try (var client = server.connect()) {
      for (String path : List.of("/unsent", "/region", "/stream")) {
        client.send("HEAD " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.head()).contains("200 OK", "Content-Length: " + OBJECT);
      }
      client.send("GET /fresh HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains("304 Not Modified", "Content-Length: " + OBJECT);
      assertThat(client.send("GET /tail HTTP/1.1\r\nHost: a\r\n\r\n").answer())
          .contains("206 Partial Content")
          .endsWith("\0\0\0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a304HasNoBodyAndA206HasAll(Over over) throws Exception {
    for (String path : List.of("/fresh", "/same")) {
      Reply reply = RawAsk.of("GET", path).of(server, over);
      assertThat(reply.status()).isEqualTo(304);
      assertThat(reply.field("Content-Length")).isEqualTo(path.equals("/same") ? "" : "" + OBJECT);
      assertThat(reply.body()).isEmpty();
    }
    Reply tail = RawAsk.of("GET", "/tail").of(server, over);
    assertThat(tail.status()).isEqualTo(206);
    assertThat(tail.body()).isEqualTo("\0\0\0");
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerToGetThatLacksItsBodyIsABug(Over over) throws Exception {
    assertThat(RawAsk.of("GET", "/unsent").of(server, over).status()).isEqualTo(500);
  }

  @Test
  void aPeerThatAsksFirstIsToldToGoOnOnlyWhenTheBodyIsRead() throws Exception {
    String head =
        "PUT %s HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n";
    try (var refused = server.connect()) {
      assertThat(refused.send(head.formatted("/refuse", OBJECT)).answer())
          .startsWith("HTTP/1.1 403 ")
          .contains("Connection: close");
      assertThat(refused.rest()).isEmpty();
    }
    try (var read = server.connect()) {
      assertThat(read.send(head.formatted("/read", 3)).answer()).startsWith("HTTP/1.1 100 ");
      assertThat(read.send("abc").answer()).startsWith("HTTP/1.1 200 ").endsWith("3");
    }
    try (var client = new RawFrames(server.port())) {
      client.ask(1, false, put("/refuse", "expect", "100-continue"));
      assertThat(client.answer(1)).startsWith(":status: 403").doesNotContain(":status: 100");
      assertThat(client.reset(1)).as("it waits for a 100 that will not come").isZero();
      client.ask(3, false, put("/read", "expect", "100-continue"));
      client.data(3, true, new byte[3]);
      assertThat(client.answer(3))
          .startsWith(":status: 100")
          .contains(":status: 200")
          .endsWith("3");
    }
  }

  private static List<String> put(String path, String... fields) {
    var all = new java.util.ArrayList<>(List.of(":method", "PUT", ":scheme", "http"));
    all.addAll(List.of(":path", path, ":authority", "a"));
    all.addAll(List.of(fields));
    return all;
  }

  @Test
  void aBodyOf5GiBThatIsRefusedByItsHeadIsNotReadToItsEnd() throws Exception {
    try (var client = server.connect()) {
      client.send("PUT /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: " + OBJECT + "\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 403 ");
      var step = "x".repeat(64 * 1024);
      long sent = 0;
      try {
        while (sent < OBJECT) {
          client.send(step);
          sent += step.length();
        }
      } catch (IOException cut) {
        // as it has to be
      }
      assertThat(sent).isLessThan(OBJECT);
    }
  }

  /** curl 7.88 drops an answer whose stream is reset before its body is out. */
  @Test
  void overHttp2ASmallBodyIsTakenBehindItsAnswerAndALargeOneStopped() throws Exception {
    try (var client = new RawFrames(server.port())) {
      client.ask(1, false, put("/refuse"));
      assertThat(client.answer(1)).startsWith(":status: 403");
      assertThat(client.resetBeforePing(1)).as("before its body").isEqualTo(-1);
      client.data(1, true, new byte[1000]);
      assertThat(client.resetBeforePing(1)).as("behind its body").isEqualTo(-1);
      client.ask(3, false, put("/refuse"));
      assertThat(client.answer(3)).startsWith(":status: 403");
      for (int i = 0; i < 4; i++) {
        client.data(3, false, new byte[16 * 1024 - 500]);
        assertThat(client.resetBeforePing(3)).isEqualTo(-1);
      }
      client.data(3, false, new byte[4000]);
      assertThat(client.reset(3)).as("NO_ERROR").isZero();
      client.ask(5, false, put("/refuse"));
      assertThat(client.answer(5)).startsWith(":status: 403");
      assertThat(client.reset(5)).as("a body that does not come: NO_ERROR").isZero();
    }
  }

  /** Four times the request's limit, but never as long as a stall may be. */
  private static void drip(Drip drip) throws Exception {
    for (int i = 0; i < 4; i++) {
      assertThat(new CountDownLatch(1).await(REQUEST.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
      drip.send(i == 3);
    }
  }

  /** Sends one more byte. */
  private interface Drip {
    void send(boolean last) throws IOException;
  }

  @Test
  void aRouteWithoutADeadlineWaitsForABodyThatMoves() throws Exception {
    String head = "PUT %s HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";
    try (var client = server.connect()) {
      client.send(head.formatted("/read"));
      drip(_ -> client.send("x"));
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("4");
    }
    try (var client = server.connect()) {
      client.send(head.formatted("/hurried"));
      drip(_ -> client.sendAnyway("x"));
      assertThat(client.answer()).startsWith("HTTP/1.1 504 ");
    }
    try (var client = new RawFrames(server.port())) {
      client.ask(1, false, put("/read"));
      drip(last -> client.data(1, last, new byte[1]));
      assertThat(client.answer(1)).startsWith(":status: 200").endsWith("4");
    }
  }

  @Test
  void aBodyThatStandsStillIsCutThereToo() throws Exception {
    try (var client = server.connect()) {
      client.send("PUT /read HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nx");
      assertThat(client.answer()).startsWith("HTTP/1.1 408 ");
    }
    try (var client = new RawFrames(server.port())) {
      client.ask(1, false, put("/read")).data(1, false, new byte[1]);
      assertThat(client.answer(1)).startsWith(":status: 408");
    }
  }

  @Test
  void aPeerThatTakesNothingIsCutThereToo() throws Exception {
    try (var client = new RawFrames(server.port())) {
      client.ask(
          1, true, List.of(":method", "GET", ":scheme", "http", ":path", "/flood", "host", "a"));
      assertThat(client.reset(1)).as("CANCEL").isEqualTo(8);
    }
    double before = server.metric("io_timeouts_total{op=\"write\"}");
    try (var client = server.connect()) {
      client.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n");
      long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (server.metric("io_timeouts_total{op=\"write\"}") == before
          && System.nanoTime() < giveUp) {
        LockSupport.parkNanos(2_000_000);
      }
      assertThat(server.metric("io_timeouts_total{op=\"write\"}")).isEqualTo(before + 1);
    }
  }
}
