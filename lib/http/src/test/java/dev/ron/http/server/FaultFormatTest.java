package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.Problem;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.FaultFormat;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawAsk;
import dev.ron.http.testing.RawAsk.Over;
import dev.ron.http.testing.RawAsk.Reply;
import dev.ron.http.testing.RawFrames;
import dev.ron.http.testing.TestServer;
import dev.ron.http.wire.PathForm;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever refuses, the door's own format answers, with the id under which it is logged. */
final class FaultFormatTest {
  private static final FaultFormat XML =
      (problem, head) -> {
        Headers headers = Headers.of("Content-Type", "application/xml");
        headers.add("x-amz-request-id", problem.corrId());
        return new Answer(
            problem.status() == 429 ? 503 : problem.status(),
            headers,
            new Body.Bytes(
                "<Error><Code>%s</Code><Resource>%s %s</Resource><RequestId>%s</RequestId></Error>"
                    .formatted(
                        problem.fault().code(), head.method(), head.rawPath(), problem.corrId())
                    .getBytes(StandardCharsets.US_ASCII)));
      };

  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String LONG = "x".repeat(20 * 1024);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    server = server(new Dialect(PathForm.RAW, false, XML));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static TestServer server(Dialect dialect) throws Exception {
    Blocking blocking =
        x -> {
          throw new IllegalStateException("a bug");
        };
    Inline inline =
        x -> {
          throw new IllegalStateException("a bug");
        };
    Blocking slow =
        x -> {
          NEVER.await();
          return Answer.empty(204);
        };
    Blocking busy =
        _ -> {
          throw Refusal.of(new KernelFault.Busy("work", 7, Duration.ofMillis(1500)));
        };
    Blocking read = x -> Answer.text(200, "" + x.body().collect(1 << 20).length);
    return new TestServer(
        TestServer.loopback()
            .with(new Limits(100, 16 * 1024, 20, 1000, 512, 0))
            .with(new Timeouts(SHORT, SHORT, Duration.ofSeconds(20), Duration.ofSeconds(20)))
            .with(dialect),
        Routes.of()
            .any("/blocking", "blocking", blocking)
            .any("/inline", "inline", inline)
            .any("/busy", "busy", busy)
            .any("/read", "read", read)
            .get("/get", "get", read)
            .add(Route.of("GET", "/slow", "slow", slow).within(Duration.ofMillis(50))));
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
            // request, status, code
            row(RawAsk.of("GET", "/none"), 404, "not-found"),
            row(RawAsk.of("PUT", "/get"), 405, "method-not-allowed"),
            row(RawAsk.of("OPTIONS", "/none"), 404, "not-found"),
            row(RawAsk.of("GET", "/blocking"), 500, "internal"),
            row(RawAsk.of("GET", "/inline"), 500, "internal"),
            row(RawAsk.of("GET", "/busy"), 503, "busy"),
            row(RawAsk.of("GET", "/slow"), 504, "timeout"),
            row(RawAsk.of("PUT", "/read").with("x".repeat(1001)), 413, "body-cap"),
            row(RawAsk.of("PUT", "/read", "content-encoding", "zz").with("x"), 415, "unsupported"),
            row(RawAsk.of("PUT", "/read", "expect", "much").with("x"), 417, "expectation-failed"),
            row(RawAsk.of("PUT", "/read", "request-timeout", "x").with("x"), 400, "malformed"))
        .flatMap(each -> Stream.of(Over.values()).map(over -> with(over, each)));
  }

  /** These are refused before there is a path, so the resource is the one of no request. */
  static Stream<Arguments> unread() {
    return Stream.of(
        Arguments.of(Over.HTTP_1_1, RawAsk.of("GET", "/a b"), 400, "malformed"),
        Arguments.of(Over.HTTP_1_1, RawAsk.of("GET", "/x", "Host", "b"), 400, "malformed"),
        Arguments.of(Over.HTTP_1_1, RawAsk.of("GET", "/" + LONG), 414, "head-cap"),
        Arguments.of(Over.HTTP_1_1, RawAsk.of("GET", "/x", "X", LONG), 431, "head-cap"),
        Arguments.of(
            Over.HTTP_1_1, RawAsk.of("GET", "/ HTTP/1.2\r\nX:"), 505, "version-unsupported"),
        Arguments.of(Over.HTTP_2, RawAsk.of("GET", "/a b"), 400, "malformed"),
        Arguments.of(Over.HTTP_2, RawAsk.of("GET", "/x", "host", "b"), 400, "malformed"),
        Arguments.of(
            Over.HTTP_2, RawAsk.of("GET", "/x", "expect", "x", "expect", "x"), 400, "malformed"));
  }

  private static Object[] row(RawAsk ask, int status, String code) {
    return new Object[] {ask, status, code};
  }

  private static Arguments with(Over over, Object[] row) {
    return Arguments.of(over, row[0], row[1], row[2]);
  }

  @ParameterizedTest(name = "{0} {2} {3}")
  @MethodSource("refusals")
  void aRefusalIsInTheDoorsFormat(Over over, RawAsk ask, int status, String code) throws Exception {
    check(ask.of(server, over), status, code, ask.method() + " " + ask.target());
  }

  @ParameterizedTest(name = "{0} {2} {3}")
  @MethodSource("unread")
  void soIsOneOfAHeadThatCouldNotBeRead(Over over, RawAsk ask, int status, String code)
      throws Exception {
    check(ask.of(server, over), status, code, "none /");
  }

  private static void check(Reply reply, int status, String code, String resource) {
    String id = reply.field("x-amz-request-id");
    assertThat(reply.status()).isEqualTo(status);
    assertThat(id).isNotEmpty().isEqualTo(reply.field("X-Corr-ID"));
    assertThat(reply.field("Content-Type")).isEqualTo("application/xml");
    assertThat(reply.body())
        .isEqualTo(
            "<Error><Code>%s</Code><Resource>%s</Resource><RequestId>%s</RequestId></Error>"
                .formatted(code, resource, id));
  }

  /** The codec refuses it before there is a request that could be answered otherwise. */
  @Test
  void onlyAnHttp2HeadOverTheCapHasABareStatus() throws Exception {
    var many = Collections.nCopies(1000, "x").toArray(String[]::new);
    Reply reply = RawAsk.of("GET", "/none", many).of(server, Over.HTTP_2);
    assertThat(reply.status()).isEqualTo(431);
    assertThat(reply.body()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aHeadHasNoBodyEvenIfItWasNotReadWhole(Over over) throws Exception {
    List<RawAsk> asks =
        List.of(
            RawAsk.of("HEAD", "/none"),
            RawAsk.of("HEAD", "/blocking"),
            RawAsk.of("HEAD", "/slow"),
            RawAsk.of("HEAD", "/x", "host", "b"),
            RawAsk.of("HEAD", "/a b"));
    for (RawAsk ask : asks) {
      Reply reply = ask.of(server, over);
      assertThat(reply.status()).as(ask.target()).isIn(400, 404, 500, 504);
      assertThat(reply.field("x-amz-request-id")).isNotEmpty();
      assertThat(reply.body()).as(ask.target()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheFaultSaysToEveryClientIsAdded(Over over) throws Exception {
    assertThat(RawAsk.of("GET", "/busy").of(server, over).field("Retry-After")).isEqualTo("2");
    assertThat(RawAsk.of("PUT", "/get").of(server, over).field("Allow")).contains("GET");
    assertThat(RawAsk.of("GET", "/none", "x-corr-id", "mine").of(server, over).body())
        .contains("<RequestId>mine<");
  }

  @ParameterizedTest
  @EnumSource
  void aHostThatIsNotTheDoorsIsRefusedInItsFormat(Over over) throws Exception {
    Reply reply = RawAsk.of("GET", "/none").of(server.port(), over, "evil.example");
    check(reply, 421, "misdirected", "GET /none");
  }

  @Test
  void aSlowHeadAndASlowBodyAreRefusedInItsFormat() throws Exception {
    for (String begun :
        List.of("GET /x", "PUT /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")) {
      try (var client = server.connect()) {
        assertThat(client.send(begun).answer()).contains(" 408 ", "<Code>slow-sender</Code>");
      }
    }
    try (var client = new RawFrames(server.port())) {
      client.ask(
          1, false, List.of(":method", "PUT", ":scheme", "http", ":path", "/read", "host", "a"));
      assertThat(client.answer(1)).contains(":status: 408", "<Code>slow-sender</Code>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void limitsAndTheDrainRefuseInItsFormat(Over over) throws Exception {
    Inline ok = x -> x.answer(Answer.empty(204));
    // By a time that stands still one request a second is one request.
    try (var limited =
        new TestServer(
            new VirtualTime(),
            TestServer.loopback()
                .with(new Limits(100, 16 * 1024, 20, 1000, 512, 1))
                .with(Dialect.raw(XML)),
            Routes.of(Route.all("ok", ok)))) {
      assertThat(RawAsk.of("GET", "/").of(limited, over).status()).isEqualTo(204);
      check(RawAsk.of("GET", "/").of(limited, over), 503, "quota", "GET /");
      limited.server.stopIntake();
      check(RawAsk.of("GET", "/").of(limited, over), 503, "draining", "GET /");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFormatThatFailsIsABugAndItsPeerGetsTheProblem(Over over) throws Exception {
    FaultFormat broken =
        (_, _) -> {
          throw new IllegalStateException("a bug");
        };
    FaultFormat streamed = (problem, _) -> Answer.stream(400, new Headers(), _ -> new Headers());
    for (FaultFormat format : List.of(broken, streamed)) {
      try (var failing = server(new Dialect(PathForm.NORMAL, true, format))) {
        Reply reply = RawAsk.of("GET", "/none").of(failing, over);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.field("Content-Type")).isEqualTo(Problem.MEDIA_TYPE);
        assertThat(failing.lines).anyMatch(line -> line.json().contains("handler-failed"));
      }
    }
  }
}
