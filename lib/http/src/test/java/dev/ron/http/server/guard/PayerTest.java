package dev.ron.http.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.http.Headers;
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
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a request costs, and whom. */
@Timeout(60)
class PayerTest {
  private final KeyRing keys = KeyRing.generate(new SplittableRandom(1));
  private final TokenMint minting = new TokenMint(keys, new SplittableRandom(2));
  private final Map<String, Long> units = new ConcurrentHashMap<>();
  private HttpServer server;

  @BeforeEach
  void open() throws Exception {
    Meter meter =
        tenant -> (unit, count) -> units.merge(tenant + " " + unit.word(), count, Long::sum);
    Scope scope = Scope.of("storage", World.real(Log.silent())).metered(meter);
    Inline hit = exchange -> exchange.answer(Answer.text(200, "12345"));
    Blocking store =
        exchange -> {
          long length = exchange.body().collect(1 << 20).length;
          Payer.current().charge(Meter.Unit.MESSAGE_BYTES, length);
          return Answer.text(200, "ok");
        };
    Blocking stream =
        _ ->
            Answer.stream(
                200,
                new Headers(1),
                sink -> {
                  sink.write(new byte[100_000]);
                  Payer.current().charge(Meter.Unit.MESSAGES_RECEIVED, 1);
                  return new Headers(1);
                });
    var guard =
        new CapabilityGuard(
            scope, new Verifier(new Trust(keys, Revocations.NONE)), CapabilityTerms.FOR_MUTATIONS);
    server =
        new HttpServer(
            scope,
            TestServer.loopback(),
            Routes.of()
                .get("/hit", "get", hit)
                .get(
                    "/waived",
                    "get",
                    (Blocking)
                        exchange -> {
                          exchange.payer().waive();
                          return Answer.text(200, "no");
                        })
                .put("/store", "put", store)
                .get("/stream", "stream", stream),
            guard,
            Decoders.NONE);
    server.open();
  }

  private void ask(String method, String path, String token, String body) throws Exception {
    try (var client = new RawClient(server.port())) {
      client.send(
          RawClient.http(
                  method + " " + path + " HTTP/1.1",
                  "Host: a",
                  "Connection: close",
                  "Authorization: Bearer " + token,
                  "Content-Length: " + body.length(),
                  "",
                  "")
              + body);
      client.rest();
    }
  }

  private String token(Caveat... caveats) {
    return minting.mint(List.of(caveats)).token();
  }

  /** Once it is closed, every exchange is over. */
  private Map<String, Long> charged() throws InterruptedException {
    server.close(Deadline.NEVER);
    return units;
  }

  @Test
  void whatAHandlerWaivesIsNotCharged() throws Exception {
    ask("GET", "/waived", token(new Caveat.Tenant("acme")), "");
    assertThat(charged()).isEmpty();
  }

  @Test
  void aTokensTenantPaysForTheRequestAndItsBytes() throws Exception {
    ask("GET", "/hit", token(new Caveat.Tenant("acme")), "");
    assertThat(charged())
        .containsOnly(Map.entry("acme requests", 1L), Map.entry("acme bytes_out", 5L));
  }

  @Test
  void whatTheHandlerAcknowledgesIsChargedToTheSame() throws Exception {
    ask("PUT", "/store", token(new Caveat.Tenant("acme")), "1234567");
    assertThat(charged())
        .containsOnly(
            Map.entry("acme requests", 1L),
            Map.entry("acme bytes_in", 7L),
            Map.entry("acme message_bytes", 7L),
            Map.entry("acme bytes_out", 2L));
  }

  @Test
  void aStreamIsChargedByItsBytes() throws Exception {
    ask("GET", "/stream", token(new Caveat.Tenant("acme")), "");
    assertThat(charged())
        .containsEntry("acme bytes_out", 100_000L)
        .containsEntry("acme messages_received", 1L);
  }

  @Test
  void withoutATenantItIsTheOperators() throws Exception {
    ask("GET", "/hit", token(), "");
    assertThat(charged()).containsEntry("operator requests", 1L);
  }

  @Test
  void aHeadCostsNoBytes() throws Exception {
    ask("HEAD", "/hit", token(), "");
    assertThat(charged()).doesNotContainKey("operator bytes_out");
  }

  @Test
  void refusalsAndHealthCostNothing() throws Exception {
    ask("GET", "/nothing", token(), "");
    ask("PUT", "/store", "bad", "1234567");
    ask("GET", "/healthz", token(), "");
    ask("GET", "/readyz", token(), "");
    assertThat(charged()).isEmpty();
  }

  @Test
  void outsideOfARequestNothingIsCounted() throws Exception {
    Payer.current().charge(Meter.Unit.REQUESTS, 1);
    assertThat(charged()).isEmpty();
  }
}
