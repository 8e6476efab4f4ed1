package dev.ron.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Headers;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every call has: its fields, its deadline, its tries, and where it goes in the end. */
@Timeout(30)
final class ServiceClientTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final List<Headers> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private ServiceClient client;

  @BeforeEach
  void open() throws Exception {
    Blocking echo =
        exchange -> {
          asked.add(exchange.headers().copy());
          return Answer.text(200, exchange.method() + " " + exchange.path());
        };
    Blocking busy =
        exchange -> {
          asked.add(exchange.headers().copy());
          return asked.size() < 3
              ? Answer.json(503, "{\"code\":\"busy\",\"detail\":\"not now\"}")
              : Answer.text(200, "at last");
        };
    Blocking moved = _ -> Answer.empty(307).with("Location", url("/echo"));
    Blocking round = _ -> Answer.empty(308).with("Location", url("/round"));
    server =
        new HttpServer(
            Scope.of("server", World.real(Log.silent())),
            HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN),
            Routes.of()
                .post("/echo", "echo", echo)
                .get("/busy", "busy", busy)
                .post("/moved", "moved", moved)
                .get("/round", "round", round));
    server.open();
    client = ServiceClient.to(scope, "op", URI.create(url("/")), "token");
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close(Deadline.in(Duration.ofSeconds(1), scope.time()));
  }

  private static String ask(ServiceClient client, String method, String path) throws Exception {
    return new String(client.bytes(method, path, new Headers(1), new byte[0], LIMIT), UTF_8);
  }

  @Test
  void aCallPassesOnWhatItBelongsToAndWhatIsLeftOfItsDeadline() throws Exception {
    Headers request =
        Headers.of("X-Corr-ID", "corr", "traceparent", TRACE, "Cookie", "not passed on");
    ServiceClient passing = client.onBehalfOf(request);
    Deadline soon = Deadline.in(Duration.ofSeconds(5), scope.time());
    assertThat(soon.<String>call(() -> ask(passing, "POST", "/echo"))).isEqualTo("POST /echo");
    Headers heard = asked.getFirst();
    assertThat(heard.first("X-Corr-ID")).isEqualTo("corr");
    assertThat(heard.first("traceparent")).isEqualTo(TRACE);
    assertThat(heard.first("Authorization")).isEqualTo("Bearer token");
    assertThat(heard.has("Cookie")).isFalse();
    String left = heard.first("Request-Timeout");
    assertThat(Integer.parseInt(left.replace("ms", ""))).as("not 20 seconds").isBetween(1, 5_000);
  }

  @Test
  void aBusyServiceIsAskedAgainUnderOneCorrelationId() throws Exception {
    assertThatThrownBy(() -> ask(client, "GET", "/busy"))
        .as("once, unless it may be repeated")
        .isInstanceOfSatisfying(
            ServiceRefusal.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(503);
              assertThat(refused.code()).isEqualTo("busy");
              assertThat(refused.mayPass()).isTrue();
            })
        .hasMessage("not now");
    asked.clear();
    var rest = new Backoff.Scaled(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(4));
    ServiceClient patient = client.retrying(Retry.idempotent(scope, "op", 3, rest));
    assertThat(ask(patient, "GET", "/busy")).isEqualTo("at last");
    assertThat(asked).hasSize(3);
    assertThat(asked.stream().map(each -> each.first("X-Corr-ID")).distinct()).hasSize(1);
  }

  @Test
  void aLeaderElsewhereIsFollowedAndARoundIsNot() throws Exception {
    assertThat(ask(client, "POST", "/moved")).isEqualTo("POST /echo");
    assertThat(asked.getFirst().first("Authorization")).isEqualTo("Bearer token");
    assertThatThrownBy(() -> ask(client, "GET", "/round"))
        .isInstanceOfSatisfying(
            ServiceRefusal.class, refused -> assertThat(refused.status()).isEqualTo(308));
  }

  /** A service that may name any address could otherwise have the capability sent to it. */
  @Test
  void aRedirectToAnotherMachineGetsNoCapabilityUnlessThatMachineIsConfigured() throws Exception {
    Blocking away = _ -> Answer.empty(307).with("Location", url("/echo"));
    var other =
        new HttpServer(
            Scope.of("other", World.real(Log.silent())),
            HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN),
            Routes.of().post("/away", "away", away));
    other.open();
    URI base = URI.create("http://127.0.0.1:" + other.port());
    try (var toOther = ServiceClient.to(scope, "op", base, "token")) {
      assertThat(ask(toOther, "POST", "/away")).isEqualTo("POST /echo");
      assertThat(asked.getFirst().has("Authorization")).as("another machine").isFalse();
      assertThat(asked.getFirst().has("X-Corr-ID")).isTrue();
      ServiceClient cluster = toOther.among(List.of(URI.create(url("/"))));
      assertThat(ask(cluster, "POST", "/away")).isEqualTo("POST /echo");
      assertThat(asked.getLast().first("Authorization")).isEqualTo("Bearer token");
    } finally {
      other.close(Deadline.in(Duration.ofSeconds(1), scope.time()));
    }
  }
}
