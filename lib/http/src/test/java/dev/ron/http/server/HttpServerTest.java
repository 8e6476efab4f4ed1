package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a peer sees of a server on HTTP/1.1, one sentence a test. */
final class HttpServerTest {
  private static final AtomicInteger BODIES_READ = new AtomicInteger();
  private static final Semaphore RELEASED = new Semaphore(0);
  private static TestServer server;
  @TempDir static Path folder;

  @BeforeAll
  static void open() throws Exception {
    Path file = folder.resolve("file");
    Files.writeString(file, "0123456789");
    FileChannel kept = FileChannel.open(file);
    Inline hello = x -> x.answer(Answer.text(200, "hello"));
    Inline kaboom =
        _ -> {
          throw new IllegalStateException("a bug");
        };
    Blocking count =
        x -> {
          BODIES_READ.incrementAndGet();
          return Answer.text(200, "" + x.body().collect(1 << 20).length);
        };
    Blocking named = x -> Answer.text(200, x.param("name") + "|" + x.query().first("q"));
    Inline range =
        x ->
            x.answer(
                Answer.file(
                    206,
                    Headers.of("Content-Range", "bytes 2-5/10"),
                    new Body.Region(kept, 2, 4, Body.Region.After.KEEP)));
    Inline trailed =
        x ->
            x.answer(
                Answer.trailed(200, new Headers(), new byte[] {'a'}, Headers.of("X-Sum", "1")));
    Inline lent =
        x ->
            x.answer(
                Answer.file(200, new Headers(), new Body.Region(kept, 2, 4, RELEASED::release)));
    Blocking stream =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                sink -> {
                  sink.write("abc".getBytes(StandardCharsets.US_ASCII));
                  sink.write("def".getBytes(StandardCharsets.US_ASCII));
                  return Headers.of("X-Sum", "6");
                });
    Blocking deadline =
        x ->
            Answer.text(
                200,
                Long.toString(
                    Deadline.current().remaining(x.server().time().now()).toMillis() / 1000));
    Blocking slow =
        _ -> {
          new CountDownLatch(1).await();
          return Answer.empty(204);
        };
    Blocking busy =
        _ -> {
          throw Refusal.of(new KernelFault.Busy("work", 7, Duration.ofMillis(1500)));
        };
    Inline refuse = x -> x.answer(Answer.text(200, "unread"));
    server =
        new TestServer(
            Routes.of()
                .get("/hello", "hello", hello)
                .get("/bug", "bug", kaboom)
                .post("/count", "count", count)
                .get("/n/{name}", "named", named)
                .get("/range", "range", range)
                .get("/lent", "lent", lent)
                .get("/trailed", "trailed", trailed)
                .get("/stream", "stream", stream)
                .get("/deadline", "deadline", deadline)
                .get("/busy", "busy", busy)
                .post("/refuse", "refuse", refuse)
                .add(Route.of("GET", "/slow", "slow", slow).within(Duration.ofMillis(100)))
                .add(Route.of("POST", "/small", "small", count).bodyBytesMax(4)));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static String get(String path, String... fields) throws Exception {
    return server.ask("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + lines(fields) + "\r\n");
  }

  private static String post(String path, String body, String... fields) throws Exception {
    return server.ask(
        "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n%s\r\n%s"
            .formatted(path, body.length(), lines(fields), body));
  }

  private static String lines(String... fields) {
    return fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
  }

  @Test
  void whatKeepsARegionIsGivenBackOnceItWasSentOrNotNeeded() throws Exception {
    assertThat(get("/lent")).endsWith("2345");
    assertThat(RELEASED.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    try (var client = server.connect()) {
      client.send("HEAD /lent HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains("200 OK");
    }
    assertThat(RELEASED.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    assertThat(RELEASED.availablePermits()).isZero();
  }

  @Test
  void anAnswerCarriesWhatEveryAnswerCarries() throws Exception {
    assertThat(get("/hello", "X-Corr-ID: abc-1", "traceparent: 00-aa-bb-01"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .containsPattern("Date: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n")
        .contains("X-Corr-ID: abc-1\r\n")
        .contains("traceparent: 00-aa-bb-01\r\n")
        .contains("X-Content-Type-Options: nosniff\r\n")
        .contains("Content-Security-Policy: default-src 'none'")
        .contains("Content-Length: 5\r\n")
        .endsWith("\r\n\r\nhello");
  }

  @Test
  void aCorrelationIdIsMadeWhereNoneOrABadOneCame() throws Exception {
    String made = "X-Corr-ID: [0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
    assertThat(get("/hello")).containsPattern(made);
    assertThat(get("/hello", "X-Corr-ID: a b")).containsPattern(made);
    assertThat(get("/hello", "X-Corr-ID: " + "x".repeat(65))).containsPattern(made);
  }

  @Test
  void headIsGetWithoutTheBody() throws Exception {
    try (var client = server.connect()) {
      client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains("200 OK").contains("Content-Length: 5");
      assertThat(client.answer()).endsWith("hello");
    }
  }

  @Test
  void pathAndQueryAreUnescapedForTheHandler() throws Exception {
    assertThat(get("/n/a%20b%2Fc?q=%E2%82%AC+1")).endsWith("a b/c|" + latin("\u20ac 1"));
    assertThat(get("/x/../n/./z")).endsWith("z|null");
    assertThat(get("/n/%ff")).contains(" 400 ");
  }

  private static String latin(String utf8) {
    return new String(utf8.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (var client = server.connect()) {
      var all = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        String path = i % 3 == 0 ? "/hello" : "/n/" + i; // inline and blocking mixed
        all.append("GET ").append(path).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      client.send(all.toString());
      for (int i = 0; i < 50; i++) {
        assertThat(client.answer()).endsWith(i % 3 == 0 ? "hello" : i + "|null");
      }
    }
  }

  @Test
  void aBodyIsReadByLengthAndByChunks() throws Exception {
    assertThat(post("/count", "x".repeat(200_000))).endsWith("200000");
    assertThat(
            server.ask(
                "POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "a\r\n0123456789\r\n".repeat(1000)
                    + "0\r\nX-T: 1\r\n\r\n"))
        .endsWith("10000");
  }

  @Test
  void oneHundredComesOnlyWhenTheBodyIsWanted() throws Exception {
    try (var client = server.connect()) {
      client.send(
          "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
      assertThat(client.answer()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      assertThat(client.send("abc").answer()).contains("200 OK").endsWith("3");
      client.send(
          "POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
      assertThat(client.answer()).contains("200 OK").contains("Connection: close");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void aBodyOverTheCapIsRefusedBeforeAndWhileItIsRead() throws Exception {
    assertThat(post("/small", "12345")).contains(" 413 ").contains("\"code\":\"body-cap\"");
    assertThat(post("/small", "1234")).contains(" 200 ");
    assertThat(
            server.ask(
                "POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .concat("5\r\n12345\r\n0\r\n\r\n")))
        .contains(" 413 ")
        .contains("Connection: close");
  }

  @Test
  void anUnreadBodyIsSkippedAndTheConnectionGoesOn() throws Exception {
    try (var client = server.connect()) {
      client.send("POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde");
      assertThat(client.answer()).endsWith("unread");
      assertThat(client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").answer()).endsWith("hello");
    }
  }

  @Test
  void aPartOfAFileIsSent() throws Exception {
    assertThat(get("/range")).contains("206 Partial").contains("bytes 2-5/10").endsWith("2345");
  }

  @Test
  @SeedRow("E55")
  void aStreamIsChunkedWithTrailersAndClosesForOldClients() throws Exception {
    assertThat(get("/stream")).contains("chunked").endsWith("\r\n\r\nabcdef[X-Sum: 6]");
    try (var client = server.connect()) {
      client.send("GET /stream HTTP/1.0\r\n\r\n");
      assertThat(client.rest()).doesNotContain("chunked").endsWith("\r\n\r\nabcdef");
    }
  }

  @Test
  void fieldsMayFollowBytes() throws Exception {
    assertThat(get("/trailed")).contains("chunked").endsWith("\r\n\r\na[X-Sum: 1]");
    try (var client = server.connect()) {
      client.send("GET /trailed HTTP/1.0\r\n\r\n");
      assertThat(client.rest()).doesNotContain("chunked").endsWith("\r\n\r\na");
    }
  }

  @Test
  @SeedRow("E44")
  void theDeadlineIsTheSmallestOfAll() throws Exception {
    assertThat(get("/deadline")).endsWith("29");
    assertThat(get("/deadline", "Request-Timeout: 10")).endsWith("9");
    assertThat(get("/deadline", "Request-Timeout: 99")).endsWith("29");
    String soon = java.time.Instant.now().plusSeconds(5).toString();
    assertThat(get("/deadline", "Request-Timeout: 10", "Deadline: " + soon)).endsWith("4");
    assertThat(get("/deadline", "Deadline: 2001-01-01T00:00:00Z")).contains(" 504 ");
    assertThat(get("/deadline", "Request-Timeout: soon")).contains(" 400 ");
  }

  @Test
  @SeedRow("E45")
  void workPastItsDeadlineIsCancelledAndAnswered() throws Exception {
    assertThat(get("/slow")).contains(" 504 ").contains("\"code\":\"timeout\"");
  }

  @Test
  void faultsAreProblems() throws Exception {
    assertThat(get("/busy", "X-Corr-ID: c"))
        .contains(" 429 ")
        .contains("application/problem+json")
        .contains("Retry-After: 2\r\n")
        .contains("\"code\":\"busy\"")
        .contains("\"corr_id\":\"c\"")
        .contains("\"retry_after\":2");
    assertThat(get("/nowhere")).contains(" 404 ").contains("not-found");
    assertThat(post("/hello", "")).contains(" 405 ").contains("Allow: GET, HEAD, OPTIONS");
    assertThat(post("/count", "x", "Content-Encoding: gzip")).contains(" 415 ");
  }

  @Test
  void aBugIsFiveHundredAndItsPlaceStaysInTheLog() throws Exception {
    assertThat(get("/bug", "X-Corr-ID: bug-1")).contains(" 500 ").doesNotContain("Exception");
    assertThat(server.lines)
        .anyMatch(
            line ->
                line.event().equals("handler-failed")
                    && line.text().contains("bug-1")
                    && line.text().contains("IllegalStateException")
                    && line.text().contains("HttpServerTest.java")
                    && !line.text().contains("a bug"));
  }

  @Test
  @SeedRow("G19")
  void everyServerHasItsServiceRoutes() throws Exception {
    assertThat(get("/healthz")).contains("200 OK");
    assertThat(get("/version")).endsWith("{\"service\":\"test\",\"version\":\"0.1.0\"}");
    assertThat(get("/openapi.json"))
        .contains("\"/n/{name}\":{\"get\":{\"operationId\":\"named\"")
        .contains("{\"name\":\"name\",\"in\":\"path\",\"required\":true")
        .contains("\"/readyz\"");
    get("/hello");
    assertThat(get("/metrics"))
        .contains("http_requests_total{method=\"GET\",route=\"/hello\",status=\"200\"}")
        .contains("inflight_requests{route=\"/hello\"} 0")
        .contains("request_latency_seconds_bucket{op=\"hello\"");
  }

  @Test
  @SeedRow("G19")
  void readinessNamesWhatIsMissing() throws Exception {
    var condition = server.scope.readiness().condition("disk");
    condition.missing("full");
    try {
      assertThat(get("/readyz"))
          .contains(" 503 ")
          .contains("Retry-After: ")
          .endsWith("{\"ready\":false,\"missing\":{\"disk\":\"full\"}}");
    } finally {
      condition.met();
    }
    assertThat(get("/readyz")).contains(" 200 ");
  }

  @Test
  @SeedRow("E06")
  void aPeerThatGoesAwayCancelsTheWork() throws Exception {
    var interrupted = new CountDownLatch(1);
    var begun = new CountDownLatch(1);
    Blocking waits =
        _ -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            interrupted.countDown();
          }
          return Answer.empty(204);
        };
    try (var one = new TestServer(Routes.of().get("/wait", "wait", waits))) {
      try (RawClient client = one.connect()) {
        client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        client.socket().setSoLinger(true, 0); // a reset, as a killed process leaves it
      }
      assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void anUpgradeHandsOverTheConnection() throws Exception {
    Inline echo =
        x ->
            x.upgrade(
                Headers.of("Upgrade", "echo", "Connection", "Upgrade"),
                channel ->
                    channel
                        .pipeline()
                        .addLast(
                            new io.netty.channel.ChannelInboundHandlerAdapter() {
                              @Override
                              public void channelRead(
                                  io.netty.channel.ChannelHandlerContext ctx, Object message) {
                                var _ = ctx.writeAndFlush(message);
                              }
                            }));
    try (var one = new TestServer(Routes.of().get("/up", "up", echo));
        var client = one.connect()) {
      client.send("GET /up HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nab");
      assertThat(client.head()).contains(" 101 ").contains("Upgrade: echo");
      client.send("cd").finishSending();
      InputStream in = client.socket().getInputStream();
      assertThat(new String(in.readNBytes(4), StandardCharsets.US_ASCII)).isEqualTo("abcd");
    }
  }

  @Test
  void pagesOfOtherOriginsAreRefusedUnlessNamed() throws Exception {
    assertThat(get("/hello", "Origin: https://a.example"))
        .doesNotContain("Access-Control-Allow-Origin");
    var config = HttpServerConfig.on("127.0.0.1", 0).with(new Cors(List.of("https://a.example")));
    Inline hello = x -> x.answer(Answer.text(200, "hello"));
    try (var one = new TestServer(config, Routes.of().get("/hello", "hello", hello))) {
      String preflight =
          "OPTIONS /hello HTTP/1.1\r\nHost: a\r\nAccess-Control-Request-Method: GET\r\n";
      assertThat(one.ask(preflight + "Origin: https://a.example\r\n\r\n"))
          .contains(" 204 ")
          .contains("Access-Control-Allow-Origin: https://a.example")
          .contains("Access-Control-Allow-Methods: GET, HEAD, OPTIONS");
      assertThat(one.ask(preflight + "Origin: https://b.example\r\n\r\n"))
          .doesNotContain("Access-Control-Allow");
    }
  }
}
