package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Everything has a limit, and says so when it is reached. */
final class ServerLimitsTest {
  private static final String GET = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
  private final Inline hello = x -> x.answer(Answer.text(200, "hello"));

  private static HttpServerConfig config(Limits limits) {
    return TestServer.loopback().with(limits);
  }

  @Test
  @SeedRow("E54")
  void headsOverTheCapGet414And431() throws Exception {
    var limits = new Limits(10, 1024, 10, 1024, 512, 0);
    try (var server = new TestServer(config(limits), Routes.of().get("/hello", "hello", hello))) {
      assertThat(server.ask("GET /" + "x".repeat(2000))).contains(" 414 ").contains("head-cap");
      assertThat(server.ask("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(2000)))
          .contains(" 431 ")
          .contains("head-cap");
      assertThat(server.ask("GET / HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(10) + "\r\n"))
          .contains(" 431 ");
    }
  }

  @Test
  void requestsOverTheRateGet429() throws Exception {
    var limits = new Limits(10, 1024, 10, 1024, 512, 2);
    var time = new VirtualTime();
    try (var server =
            new TestServer(time, config(limits), Routes.of().get("/hello", "hello", hello));
        var client = server.connect()) {
      client.send(GET.repeat(3) + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.answer()).contains(" 200 ");
      assertThat(client.answer()).contains(" 200 ");
      assertThat(client.answer()).contains(" 429 ").contains("quota").contains("Retry-After: 1");
      assertThat(client.answer()).as("health is exempt").contains(" 200 ");
      assertThat(server.metric("rejected_total{reason=\"quota\"}")).isEqualTo(1);
      assertThat(server.metric("busy_rejections_total{endpoint=\"/hello\"}"))
          .as("a rate is no queue")
          .isZero();
      time.advance(Duration.ofMillis(500));
      assertThat(client.send(GET).answer()).as("two a second").contains(" 200 ");
      assertThat(client.send(GET).answer()).contains(" 429 ");
    }
  }

  @Test
  @SeedRow("E15")
  void requestsOverTheInflightLimitGet429AndTheirPlaceComesBack() throws Exception {
    var begun = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Blocking held =
        _ -> {
          begun.countDown();
          release.await();
          return Answer.empty(204);
        };
    var limits = new Limits(10, 1024, 10, 1024, 1, 0);
    var routes = Routes.of().get("/hello", "hello", hello).get("/held", "held", held);
    try (var server = new TestServer(config(limits), routes);
        var first = server.connect();
        var second = server.connect()) {
      first.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.send(GET).answer()).contains(" 429 ").contains("busy");
      assertThat(server.metric("busy_rejections_total{endpoint=\"/hello\"}")).isEqualTo(1);
      release.countDown();
      assertThat(first.answer()).contains(" 204 ");
      String again = second.send(GET).answer();
      for (int i = 0; i < 100 && again.contains(" 429 "); i++) {
        again = second.send(GET).answer(); // the thread gives its place back just after answering
      }
      assertThat(again).endsWith("hello");
    }
  }

  @Test
  void theGuardHasTheLastWordAndTellsTheHandler() throws Exception {
    record Tenant(String name) {}
    Guard guard =
        exchange -> {
          String name = exchange.headers().first("Authorization");
          if (name == null) {
            return new Refusal(401, new HttpFault.Malformed("no token"));
          }
          exchange.put(Tenant.class, new Tenant(name));
          return null;
        };
    Inline who = x -> x.answer(Answer.text(200, x.attachment(Tenant.class).name()));
    var scope =
        dev.ron.kernel.Scope.of(
            "guarded", dev.ron.kernel.World.real(dev.ron.kernel.log.Log.silent()));
    var server =
        new HttpServer(
            scope,
            TestServer.loopback(),
            Routes.of().get("/who", "who", who),
            guard,
            Decoders.NONE);
    server.open();
    try (var client = new RawClient(server.port())) {
      assertThat(client.send("GET /who HTTP/1.1\r\nHost: a\r\n\r\n").answer()).contains(" 401 ");
      assertThat(client.send("GET /who HTTP/1.1\r\nHost: a\r\nAuthorization: ann\r\n\r\n").answer())
          .endsWith("ann");
      assertThat(client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").answer())
          .contains(" 200 ");
    } finally {
      server.close(dev.ron.kernel.time.Deadline.in(Duration.ofSeconds(1), scope.time()));
    }
  }

  @Test
  void settingsThatCannotBeRightAreRefusedWithTheirKey() {
    assertThatThrownBy(() -> new Limits(0, 1024, 10, 1024, 1, 0))
        .hasMessageContaining("max_connections = 0");
    assertThatThrownBy(
            () ->
                new Timeouts(
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1)))
        .hasMessageContaining("read_timeout = PT0S");
    assertThatThrownBy(() -> new Cors(List.of("*", "https://a"))).hasMessageContaining("*");
    assertThatThrownBy(() -> new Bind.Unix(java.nio.file.Path.of("x"), java.util.Set.of(1)))
        .hasMessageContaining("absolute");
    assertThatThrownBy(() -> Routes.of().get("/a", "a", hello).get("/a", "b", hello))
        .hasMessageContaining("two routes for GET /a");
    assertThat(new KernelFault.Draining("x").status()).isEqualTo(503);
  }
}
