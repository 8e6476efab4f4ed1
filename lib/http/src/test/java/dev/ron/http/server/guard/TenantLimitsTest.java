package dev.ron.http.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.RawClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a tenant may use of a door. */
@Timeout(60)
class TenantLimitsTest {
  private final KeyRing keys = KeyRing.generate(new SplittableRandom(1));
  private final TokenMint minting = new TokenMint(keys, new SplittableRandom(2));
  private final VirtualTime time = new VirtualTime();
  private final AtomicReference<TenantTable> tenants = new AtomicReference<>(TenantTable.NONE);
  private final Map<String, Long> units = new ConcurrentHashMap<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void open() throws Exception {
    Meter meter =
        tenant -> (unit, count) -> units.merge(tenant + " " + unit.word(), count, Long::sum);
    World real = World.real(Log.silent());
    Scope scope =
        Scope.of(
                "storage",
                new World(
                    time, real.chance(), real.secrets(), real.disk(), real.threads(), real.log()))
            .metered(meter)
            .shared(tenants::get);
    Inline get = exchange -> exchange.answer(Answer.text(200, "0123456789"));
    Blocking put = exchange -> Answer.text(200, "" + exchange.body().collect(1 << 20).length);
    Blocking held =
        _ -> {
          begun.countDown();
          goOn.await();
          return Answer.text(200, "ok");
        };
    var guard =
        new CapabilityGuard(
            scope, new Verifier(new Trust(keys, Revocations.NONE)), CapabilityTerms.FOR_MUTATIONS);
    server =
        new HttpServer(
            scope,
            TestServer.loopback(),
            Routes.of().get("/o", "get", get).put("/o", "put", put).get("/held", "held", held),
            guard,
            Decoders.NONE);
    server.open();
  }

  @AfterEach
  void close() throws InterruptedException {
    goOn.countDown();
    server.close(Deadline.NEVER);
  }

  private void limit(String tenant, TenantLimit limit, long value) {
    tenants.set(new TenantTable(List.of(new TenantTerms(tenant, 1, Map.of(limit, value)))));
  }

  private String shown(String tenant) {
    return "Authorization: Bearer "
        + minting.mint(List.of(new Caveat.Tenant(tenant))).token()
        + "\r\n";
  }

  private String ask(String method, String fields, String body) throws Exception {
    try (var client = new RawClient(server.port())) {
      return client.send(request(method, "/o", fields, body)).answer();
    }
  }

  private static String request(String method, String path, String fields, String body) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: a\r\n"
        + fields
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  @Test
  void theTimeThatIsToldIsTheTimeAfterWhichItIsLetIn() throws Exception {
    limit("acme", TenantLimit.REQUESTS_PER_SECOND, 1);
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", shown("acme"), "")) // another token of the same tenant
        .startsWith("HTTP/1.1 429 ")
        .contains("Retry-After: 1\r\n", "\"code\":\"tenant-rate\"", "\"tenant\":\"acme\"")
        .contains("\"limit\":\"requests_per_second\"", "\"retry_after_ms\":\"1000\"");
    time.advance(Duration.ofSeconds(1).minusNanos(1));
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 429 ");
    time.advance(Duration.ofNanos(1));
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", shown("other"), "")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void strangersAreOneTenantAndDefaultIsNotTheOperators() throws Exception {
    limit(TenantTable.DEFAULT, TenantLimit.REQUESTS_PER_SECOND, 1);
    String operator = operator();
    assertThat(ask("GET", "", "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", "", "")).startsWith("HTTP/1.1 429 ").contains("tenant anonymous");
    for (int i = 0; i < 3; i++) {
      assertThat(ask("GET", operator, "")).startsWith("HTTP/1.1 200 ");
    }
  }

  private String operator() {
    return "Authorization: Bearer " + minting.mint(List.of()).token() + "\r\n";
  }

  @Test
  void theOperatorIsHeldToWhatIsListedForItByName() throws Exception {
    limit("operator", TenantLimit.REQUESTS_PER_SECOND, 1);
    assertThat(ask("GET", operator(), "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", operator(), "")) // another token of the operator
        .startsWith("HTTP/1.1 429 ")
        .contains("\"tenant\":\"operator\"", "\"retry_after_ms\":\"1000\"");
    assertThat(ask("GET", "", "")).as("a stranger").startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 200 ");
    server.close(Deadline.NEVER);
    assertThat(units)
        .containsEntry("operator requests", 1L)
        .containsEntry("operator refusals", 1L)
        .containsEntry("anonymous requests", 1L);
  }

  @Test
  void theOperatorsRequestsDoNotMakeATenantsConnectionAProxys() throws Exception {
    limit("acme", TenantLimit.CONNECTIONS, 1);
    try (var first = new RawClient(server.port())) {
      for (String who : List.of(operator(), shown("acme"), operator())) {
        assertThat(first.send(request("GET", "/o", who, "")).answer()).startsWith("HTTP/1.1 200 ");
      }
      assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 429 ");
    }
  }

  @Test
  void bytesInAreChargedAsAnnouncedOrAsTheyCome() throws Exception {
    limit("acme", TenantLimit.BYTES_IN_PER_SECOND, 100);
    assertThat(ask("PUT", shown("acme"), "x".repeat(60))).startsWith("HTTP/1.1 200 ");
    assertThat(ask("PUT", shown("acme"), "x".repeat(60)))
        .startsWith("HTTP/1.1 429 ")
        .contains("bytes_in_per_second", "\"retry_after_ms\":\"200\"");
    assertThat(ask("PUT", shown("acme"), "x".repeat(40))).startsWith("HTTP/1.1 200 ");
    time.advance(Duration.ofSeconds(1));
    try (var client = new RawClient(server.port())) {
      String chunked =
          "PUT /o HTTP/1.1\r\nHost: a\r\n" + shown("acme") + "Transfer-Encoding: chunked\r\n\r\n";
      client.send(chunked + "c8\r\n" + "x".repeat(200) + "\r\n0\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("200");
    }
    assertThat(ask("PUT", shown("acme"), "x"))
        .startsWith("HTTP/1.1 429 ")
        .contains("\"retry_after_ms\":\"1010\"");
  }

  @Test
  void bytesOutAreOwed() throws Exception {
    limit("acme", TenantLimit.BYTES_OUT_PER_SECOND, 10);
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", shown("acme"), ""))
        .startsWith("HTTP/1.1 429 ")
        .contains("\"retry_after_ms\":\"100\"");
    time.advance(Duration.ofMillis(100));
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", shown("acme"), "")).contains("\"retry_after_ms\":\"1000\"");
  }

  @Test
  void aPlaceIsHeldUntilTheRequestIsOver() throws Exception {
    limit("acme", TenantLimit.IN_FLIGHT, 1);
    try (var client = new RawClient(server.port())) {
      client.send(request("GET", "/held", shown("acme"), ""));
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ask("GET", shown("acme"), ""))
          .startsWith("HTTP/1.1 429 ")
          .contains("\"code\":\"tenant-busy\"", "in_flight = 1", "Retry-After: 1");
      goOn.countDown();
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
      // The handler's thread gives the place back, which ends a moment after its answer is out.
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      String next = "HTTP/1.1 429 ";
      while (next.startsWith("HTTP/1.1 429 ") && System.nanoTime() < limit) {
        next = client.send(request("GET", "/o", shown("acme"), "")).answer();
      }
      assertThat(next).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void aConnectionCountsForTheTenantThatUsesIt() throws Exception {
    limit("acme", TenantLimit.CONNECTIONS, 1);
    try (var first = new RawClient(server.port());
        var second = new RawClient(server.port())) {
      for (int i = 0; i < 3; i++) {
        assertThat(first.send(request("GET", "/o", shown("acme"), "")).answer())
            .startsWith("HTTP/1.1 200 ");
      }
      assertThat(second.send(request("GET", "/o", shown("acme"), "")).rest())
          .startsWith("HTTP/1.1 429 ")
          .contains("connections = 1");
      assertThat(first.send(request("GET", "/o", "", "")).answer()).startsWith("HTTP/1.1 200 ");
      assertThat(ask("GET", shown("acme"), "")).as("still its own").startsWith("HTTP/1.1 429 ");
      assertThat(first.send(request("GET", "/o", shown("other"), "")).answer())
          .startsWith("HTTP/1.1 200 ");
      assertThat(ask("GET", shown("acme"), "")).as("a proxy's").startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void zeroBarsATenantAndAReloadLetsItInAgain() throws Exception {
    limit("acme", TenantLimit.REQUESTS_PER_SECOND, 0);
    assertThat(ask("GET", shown("acme"), ""))
        .startsWith("HTTP/1.1 429 ")
        .contains("\"code\":\"tenant-barred\"")
        .doesNotContain("Retry-After");
    tenants.set(TenantTable.NONE);
    assertThat(ask("GET", shown("acme"), "")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aRefusedRequestIsCountedAndChargedNothing() throws Exception {
    limit("acme", TenantLimit.REQUESTS_PER_SECOND, 1);
    for (int i = 0; i < 5; i++) {
      ask("PUT", shown("acme"), "12345");
    }
    server.close(Deadline.NEVER);
    assertThat(units)
        .containsOnly(
            Map.entry("acme requests", 1L),
            Map.entry("acme bytes_in", 5L),
            Map.entry("acme bytes_out", 1L),
            Map.entry("acme refusals", 4L));
  }
}
