package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What every door answers besides its routes costs little, however often and by whom it is asked.
 */
final class OperationalRoutesTest {
  private static final String METRICS = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  @Test
  @SeedRow("E17")
  void metricsAreMadeOnceHoweverManyAsk() throws Exception {
    var made = new AtomicInteger();
    var asked = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var time = new VirtualTime();
    try (var server = new TestServer(time, TestServer.loopback(), Routes.of())) {
      server
          .scope
          .metrics()
          .sampled(
              "made",
              "Counts scrapes.",
              sample -> {
                sample.call(made.incrementAndGet());
                asked.countDown();
                hold(release);
              });
      try (var first = server.connect();
          var second = server.connect();
          var third = server.connect()) {
        first.send(METRICS);
        assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
        second.send(METRICS);
        third.send(METRICS);
        release.countDown();
        assertThat(first.answer()).contains(" 200 ", "made 1.0");
        assertThat(second.answer()).contains(" 200 ", "made 1.0");
        assertThat(third.answer()).contains(" 200 ", "made 1.0");
      }
      assertThat(made).hasValue(1);
      time.advance(Duration.ofSeconds(1));
      assertThat(server.ask(METRICS)).as("a second later").contains(" 200 ", "made 2.0");
    }
  }

  private static void hold(CountDownLatch release) {
    try {
      assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPeerThatAsksWithoutEndIsHeldBackAndHealthIsNot() throws Exception {
    try (var server = new TestServer(new VirtualTime(), TestServer.loopback(), Routes.of());
        var client = server.connect()) {
      client.send(METRICS.repeat(200) + get("/healthz").repeat(200));
      int answered = 0;
      for (int i = 0; i < 200; i++) {
        String answer = client.answer();
        answered += answer.contains(" 200 ") ? 1 : 0;
        if (!answer.contains(" 200 ")) {
          assertThat(answer).contains(" 429 ", "quota", "Retry-After: 1");
        }
      }
      assertThat(answered).as("two seconds of its rate").isEqualTo(40);
      for (int i = 0; i < 200; i++) {
        assertThat(client.answer()).contains(" 200 ");
      }
    }
  }

  @Test
  void detailsAreForThoseTheGuardLetsOnUnlessTheDoorIsLocal() throws Exception {
    Guard nobody = _ -> Refusal.of(new HttpFault.Unauth("no capability was shown"));
    var closed = TestServer.loopback().with(new Access(List.of("a"), nobody, false));
    try (var server = new TestServer(closed, Routes.of())) {
      for (String path : List.of("/metrics", "/openapi.json")) {
        assertThat(server.ask(get(path))).as(path).contains(" 401 ");
      }
      for (String path : List.of("/healthz", "/readyz", "/version")) {
        assertThat(server.ask(get(path))).as(path).contains(" 200 ");
      }
    }
    var local = TestServer.loopback().with(new Access(List.of("a"), nobody, true));
    try (var server = new TestServer(local, Routes.of())) {
      assertThat(server.ask(METRICS)).contains(" 200 ");
    }
    var everywhere = HttpServerConfig.on("0.0.0.0", 0).with(new Access(List.of(), nobody, true));
    try (var server = new TestServer(everywhere, Routes.of())) {
      assertThat(server.ask(METRICS)).contains(" 401 ");
    }
  }

  @Test
  void requestsToAnotherNameAreRefusedOnEveryPath() throws Exception {
    Inline hello = x -> x.answer(Answer.text(200, "hello"));
    try (var server = new TestServer(Routes.of().get("/hello", "hello", hello))) {
      for (String path : List.of("/hello", "/healthz", "/metrics", "/none")) {
        assertThat(server.ask("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
            .as(path)
            .contains(" 421 ", "misdirected", "evil.example", "node.hosts");
      }
      assertThat(server.ask("OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n")).contains(" 421 ");
    }
  }

  @Test
  void aBugIsLoggedWithoutWhatItSays() throws Exception {
    Blocking bug =
        x -> {
          throw new IllegalStateException("secret " + x.head().query(), new Exception("secret"));
        };
    try (var server = new TestServer(Routes.of().get("/bug", "bug", bug))) {
      assertThat(server.ask(get("/bug?cap=secret"))).contains(" 500 ").doesNotContain("secret");
      assertThat(server.lines)
          .anySatisfy(
              line ->
                  assertThat(line.json())
                      .contains(
                          "handler-failed",
                          "java.lang.IllegalStateException < java.lang.Exception",
                          "OperationalRoutesTest"));
      assertThat(server.lines)
          .filteredOn(line -> !line.event().equals("request"))
          .noneSatisfy(line -> assertThat(line.json()).contains("secret"));
    }
  }
}
