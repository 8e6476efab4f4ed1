package dev.ron.http.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.Grant;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Macaroon;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenId;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.RawClient;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets past the door. */
@Timeout(60)
class CapabilityGuardTest {
  private final KeyRing keys = KeyRing.generate(new SplittableRandom(1));
  private final TokenMint minting = new TokenMint(keys, new SplittableRandom(2));
  private final Verifier verifier = new Verifier(new Trust(keys, Revocations.NONE));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void open() throws Exception {
    open(new SystemTime());
  }

  private void open(Time time) throws Exception {
    World real = World.real(Log.silent());
    var scope =
        Scope.of(
            "storage",
            new World(
                time, real.chance(), real.secrets(), real.disk(), real.threads(), real.log()));
    Inline tenant =
        exchange -> {
          Grant grant = exchange.attachment(Grant.class);
          String name = grant == null ? "anonymous" : grant.tenant().orElse("anybody");
          exchange.answer(Answer.text(200, name));
        };
    var guard = new CapabilityGuard(scope, verifier, CapabilityTerms.FOR_MUTATIONS);
    Inline later =
        exchange -> {
          AccessRequest ask = AccessRequest.of("storage", "later", scope.time().wall());
          Refusal refusal = guard.refusal(exchange, ask.onPath("/t/" + exchange.param("topic")));
          exchange.answer(refusal == null ? Answer.text(200, "may") : Answer.problem(refusal));
        };
    server =
        new HttpServer(
            scope,
            TestServer.loopback(),
            Routes.of()
                .get("/o/{address}", "get", tenant)
                .put("/o/{address}", "put", tenant)
                .get("/later/{topic}", "later", later)
                .get("/silent", "silent", silent())
                .get("/endless", "endless", endless()),
            guard,
            Decoders.NONE);
    server.open();
  }

  @AfterEach
  void close() throws InterruptedException {
    server.close(Deadline.NEVER);
  }

  @Test
  void readingNeedsNoneAndWritingDoes() throws Exception {
    assertThat(ask("GET", "")).startsWith("HTTP/1.1 200 ").endsWith("anonymous");
    assertThat(ask("PUT", ""))
        .startsWith("HTTP/1.1 401 ")
        .contains("WWW-Authenticate: Bearer", "\"code\":\"unauth\"", "No capability was shown");
  }

  @Test
  void aTokenForTheOperationAndPathIsLetOnWithItsTenant() throws Exception {
    String token = mint(new Caveat.Tenant("acme"), new Caveat.Prefix("/o/"));
    assertThat(ask("PUT", "Bearer " + token)).startsWith("HTTP/1.1 200 ").endsWith("acme");
    assertThat(ask("PUT", "bearer " + token)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aTokenForSomethingElseIsForbidden() throws Exception {
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Operation(Set.of("get")))))
        .startsWith("HTTP/1.1 403 ")
        .contains("\"code\":\"forbidden\"");
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Service(Set.of("mailbox")))))
        .startsWith("HTTP/1.1 403 ");
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Prefix("/p/")))).startsWith("HTTP/1.1 403 ");
    assertThat(ask("PUT", "Bearer " + mint(new Caveat.Bytes(1)))).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void aBadTokenIsRefusedEvenWhereNoneIsNeededAndNeverRepeated() throws Exception {
    String token = mint();
    String altered = token.substring(0, token.length() - 2) + "AA";
    assertThat(ask("GET", "Bearer " + altered))
        .startsWith("HTTP/1.1 401 ")
        .doesNotContain(altered)
        .doesNotContain(token);
    assertThat(ask("PUT", "Basic " + token)).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void aRateCountsEveryRequest() throws Exception {
    // By a time that stands still five is five, however slow the machine is.
    server.close(Deadline.NEVER);
    open(new VirtualTime());
    String five = mint(new Caveat.Rate(5), new Caveat.Operation(Set.of("get")));
    for (int i = 0; i < 5; i++) {
      String status = i % 2 == 0 ? "HTTP/1.1 200 " : "HTTP/1.1 403 ";
      assertThat(ask(i % 2 == 0 ? "GET" : "PUT", "Bearer " + five)).startsWith(status);
    }
    assertThat(ask("GET", "Bearer " + five))
        .startsWith("HTTP/1.1 429 ")
        .contains("the capability's rate of 5 allows", "Retry-After: 1");
    assertThat(ask("GET", "")).startsWith("HTTP/1.1 200 ");
  }

  /** A topic that stands in the body: asked of the same capability, without its signature. */
  @Test
  void whatIsKnownLaterIsAskedLater() throws Exception {
    String all = mint(new Caveat.Operation(Set.of("later")));
    String other = mint(new Caveat.Prefix("/later/"));
    assertThat(ask("GET", "/later/a", "Bearer " + all)).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", "/later/a", "")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", "/later/a", "Bearer " + other)).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void withoutAVerifierEveryRequestIsLetOn() throws Exception {
    var scope = Scope.of("storage", World.real(Log.silent()));
    Inline ok = exchange -> exchange.answer(Answer.text(200, "ok"));
    var open =
        new HttpServer(
            scope,
            TestServer.loopback(),
            Routes.of().put("/o", "put", ok),
            new CapabilityGuard(scope, null, CapabilityTerms.ALWAYS),
            Decoders.NONE);
    open.open();
    try (var client = new RawClient(open.port())) {
      String put = "PUT /o HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
      assertThat(client.send(put).answer()).startsWith("HTTP/1.1 200 ");
    } finally {
      open.close(Deadline.NEVER);
    }
  }

  /** Also what answers nothing for an hour, and what answers without end. */
  @Test
  void whatLastsEndsWithItsCapability() throws Exception {
    Macaroon macaroon = minting.mint(List.of());
    String shown = "Host: a\r\nAuthorization: Bearer " + macaroon.token() + "\r\n\r\n";
    try (var silent = new RawClient(server.port());
        var endless = new RawClient(server.port())) {
      silent.send("GET /silent HTTP/1.1\r\n" + shown);
      endless.send("GET /endless HTTP/1.1\r\n" + shown);
      assertThat(endless.head()).startsWith("HTTP/1.1 200 ");
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      var id = TokenId.parse(macaroon.identifier()).orElseThrow();
      verifier.trust(
          trust -> new Trust(trust.keys(), new Revocations(Set.of(id)), trust.registered()));
      assertThat(silent.answer()).startsWith("HTTP/1.1 401 ").contains("was revoked");
      assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(endless.rest()).doesNotEndWith("\r\n0\r\n\r\n");
    }
  }

  private Blocking silent() {
    return _ -> {
      try {
        begun.countDown();
        new CountDownLatch(1).await();
        return Answer.empty(204);
      } finally {
        interrupted.countDown();
      }
    };
  }

  private static Blocking endless() {
    Body.Stream.Writer writer =
        sink -> {
          var never = new CountDownLatch(1);
          while (true) {
            sink.write(new byte[] {'.'});
            if (never.await(50, TimeUnit.MILLISECONDS)) {
              return new Headers(1);
            }
          }
        };
    return _ -> Answer.stream(200, new Headers(1), writer);
  }

  private String mint(Caveat... caveats) {
    return minting.mint(List.of(caveats)).token();
  }

  private String ask(String method, String authorization) throws Exception {
    return ask(method, "/o/b3", authorization);
  }

  private String ask(String method, String path, String authorization) throws Exception {
    try (var client = new RawClient(server.port())) {
      String body = method.equals("PUT") ? "Content-Length: 2\r\n" : "";
      String shown = authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n";
      return client
          .send(
              "%s %s HTTP/1.1\r\nHost: a\r\n%s%s\r\n%s"
                  .formatted(method, path, shown, body, body.isEmpty() ? "" : "ok"))
          .answer();
    }
  }
}
