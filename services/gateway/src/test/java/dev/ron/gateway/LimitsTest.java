package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates, capabilities, codings and pressure, over sockets. */
final class LimitsTest {
  /** Answers when it has the whole body, so that nothing is on its way when the body is refused. */
  private static final String WHOLE = "/whole";

  private final KeyRing ring = KeyRing.generate(new Random(7));
  private final TokenMint minting = new TokenMint(ring, new Random(8));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

  @Test
  void overAnySecondAtMostTheRateAndItsBurstPassFrom64Threads() throws Exception {
    int rate = 40;
    try (Backend backend = new Backend();
        Rig rig = Rig.open("limits.rps=" + rate, Rig.route("", backend.port()))) {
      var passed = new AtomicInteger();
      var refused = new AtomicInteger();
      long begun = System.nanoTime();
      long end = begun + 1_500_000_000L;
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 64; t++) {
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  try (var client = rig.connect()) {
                    while (System.nanoTime() < end) {
                      client.send("GET /bytes/1 HTTP/1.1\r\nHost: a\r\n\r\n");
                      (client.answer().contains(" 200 ") ? passed : refused).incrementAndGet();
                    }
                  } catch (Exception failed) {
                    throw new AssertionError(failed);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      assertThat(passed.get()).isBetween(rate, (int) (rate + rate * seconds));
      assertThat(refused.get()).isPositive();
      assertThat(rig.metric("gateway_quota_exhaustions_total{tenant=\"anonymous\"}"))
          .isEqualTo(refused.get());
    }
    try (Backend backend = new Backend();
        Rig rig = Rig.standing(null, "limits.rps=" + rate, Rig.route("", backend.port()))) {
      // One address alone leaves half of what has been saved to the next one (ADR 0042).
      for (int i = 0; i < rate / 2; i++) {
        assertThat(rig.get("/x")).contains(" 200 ");
      }
      assertThat(rig.get("/x"))
          .contains(" 429 ")
          .contains("\"code\":\"quota\"")
          .contains("Retry-After: 1")
          .contains("\"tenant_class\":\"anonymous\",\"queue_depth\":\"0\"");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /nowhere HTTP/1.1~Host: a~~                                 | 404
          PATCH /open HTTP/1.1~Host: a~~                                  | 405
          GET /open HTTP/1.1~Host: a~Authorization: Bearer AAAA~~         | 401
          GET /all HTTP/1.1~Host: a~~                                     | 401
          GET /open%2Fx HTTP/1.1~Host: a~~                                | 400
          """)
  @SeedRow("G15")
  void refusedRequestsCountAgainstTheRateToo(String request, int status) throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.standing(verifier, "limits.rps=40", guarded(backend.port()));
        RawClient client = rig.connect()) {
      int refusals = 0;
      String answer = "";
      while (!answer.contains(" 429 ")) {
        assertThat(refusals++).as("the rate").isLessThanOrEqualTo(40);
        answer = client.send(request.replace("~", "\r\n")).answer();
        assertThat(answer).containsPattern(" (" + status + "|429) ");
      }
      assertThat(answer).contains("\"code\":\"quota\"").contains("Retry-After: ");
      assertThat(refusals).as("a quarter of the rate, before the rate itself").isGreaterThan(9);
    }
  }

  private static String guarded(int port) {
    return ("routes=[{prefix=\"/open\",methods=[\"GET\",\"POST\"],"
            + "upstreams=[\"http://127.0.0.1:%1$d\"]},"
            + "{prefix=\"/all\",auth=\"all\",upstreams=[\"http://127.0.0.1:%1$d\"]}]")
        .formatted(port);
  }

  @Test
  void anAddressThatIsRefusedLeavesTheRateToOthers() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.guarded(verifier, "limits.rps=40", guarded(backend.port()));
        RawClient loud = rig.connect();
        var other = new Socket()) {
      for (int i = 0; i < 400; i++) {
        loud.send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").answer();
      }
      other.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
      other.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()), 5_000);
      other.setSoTimeout(10_000);
      other
          .getOutputStream()
          .write("GET /open HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(Client.answer(other.getInputStream())).isEqualTo(200);
    }
  }

  @Test
  void aTenantBeyondItsRateDoesNotUseUpWhatAllShare() throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.standing(
                null,
                "limits.rps=20",
                "drr.rate_limit_rps=2",
                "drr.tenant_header=X-Tenant",
                Rig.route("", backend.port()))) {
      assertThat(statuses(rig, 40, "X-Tenant: loud")).contains("429");
      assertThat(statuses(rig, 2, "X-Tenant: quiet")).isEqualTo("200 200 ");
    }
  }

  @Test
  @SeedRow("G53")
  void aBodyThatIsTooLongIsSaidSoBeforeAnythingElseIsLookedAt() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.guarded(verifier, guarded(backend.port()))) {
      assertThat(rig.ask("POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: 2097152\r\n\r\n"))
          .contains(" 413 ")
          .contains("body-cap");
    }
  }

  @Test
  void eachTenantHasItsOwnRate() throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.standing(
                null,
                "drr.rate_limit_rps=2",
                "drr.tenant_header=X-Tenant",
                Rig.route("", backend.port()))) {
      for (String tenant : List.of("a", "b")) {
        assertThat(statuses(rig, 4, "X-Tenant: " + tenant)).isEqualTo("200 200 429 429 ");
      }
    }
  }

  private static String statuses(Rig rig, int count, String... headers) throws Exception {
    var statuses = new StringBuilder();
    for (int i = 0; i < count; i++) {
      statuses.append(rig.get("/x", headers), 9, 12).append(' ');
    }
    return statuses.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # method | path     | caveats                        | status
          GET      | /open/x  | none                           | 200
          GET      | /open/x  | bad                            | 401
          POST     | /open/x  | none                           | 401
          POST     | /open/x  | tenant = acme                  | 200
          POST     | /open/x  | expires = 2020-01-01T00:00:00Z | 401
          POST     | /open/x  | op = get                       | 403
          POST     | /open/x  | op = post                      | 200
          POST     | /open/x  | prefix = /open                 | 200
          POST     | /open/x  | prefix = /other                | 403
          POST     | /open/x  | service = gateway              | 200
          POST     | /open/x  | service = mailbox              | 403
          POST     | /open/x  | bytes = 2                      | 200
          POST     | /open/x  | bytes = 1                      | 403
          POST     | /open/x  | phase = moon                   | 403
          GET      | /all/x   | none                           | 401
          GET      | /all/x   | tenant = acme                  | 200
          POST     | /none/x  | none                           | 200
          POST     | /own/x   | service = mailbox              | 200
          POST     | /own/x   | service = mailbox; op = send   | 200
          POST     | /own/x   | service = edge                 | 403
          """)
  void capabilitiesAreCheckedAndPassedOn(String method, String path, String caveats, int status)
      throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.guarded(
                verifier,
                ("routes=[{prefix=\"/open\",upstreams=[\"http://127.0.0.1:%1$d\"]},"
                        + "{prefix=\"/all\",auth=\"all\",upstreams=[\"http://127.0.0.1:%1$d\"]},"
                        + "{prefix=\"/none\",auth=\"none\",upstreams=[\"http://127.0.0.1:%1$d\"]},"
                        + "{prefix=\"/own\",service=\"mailbox\",upstreams=[\"http://127.0.0.1:%1$d\"]}]")
                    .formatted(backend.port()))) {
      String token = caveats.equals("none") ? "" : caveats.equals("bad") ? "AAAA" : mint(caveats);
      String shown = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
      String answer =
          rig.ask(
              method
                  + " "
                  + path
                  + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
                  + shown
                  + "\r\nhi");
      assertThat(answer).contains(" " + status + " ");
      if (status == 200 && !token.isEmpty()) {
        assertThat(answer).as("the token itself goes on").contains("Bearer " + token);
      }
      if (status == 401) {
        assertThat(answer).contains("\"code\":\"unauth\"").contains("WWW-Authenticate: Bearer");
      }
    }
  }

  private String mint(String caveats) {
    List<Caveat> all = new ArrayList<>();
    for (String caveat : caveats.split(";", -1)) {
      all.add(Caveat.parse(caveat.strip()));
    }
    return minting.mint(all).token();
  }

  @Test
  void aCapabilitysRateIsKeptForAllItsCopies() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.standing(verifier, Rig.route("", backend.port()))) {
      var macaroon = minting.mint(List.of(Caveat.parse("rate = 3/s")));
      String copy = macaroon.attenuate(Caveat.parse("tenant = acme")).token();
      String both =
          statuses(rig, 2, "Authorization: Bearer " + macaroon.token())
              + statuses(rig, 2, "Authorization: Bearer " + copy);
      assertThat(both).isEqualTo("200 200 200 429 ");
    }
  }

  @Test
  void copiesWithRatesOfTheirOwnDoNotWidenACapability() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.standing(verifier, Rig.route("", backend.port()))) {
      int rate = 20;
      var macaroon = minting.mint(List.of(new Caveat.Rate(rate)));
      int passed = 0;
      for (int slower = rate - 1; slower > 0; slower--) {
        String copy = macaroon.attenuate(new Caveat.Rate(slower)).token();
        String answers = statuses(rig, slower, "Authorization: Bearer " + copy);
        passed += answers.split("200", -1).length - 1;
      }
      assertThat(passed).isEqualTo(rate);
    }
  }

  @Test
  void aHeaderCannotPoseAsATenantWithACapability() throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.standing(
                verifier,
                "drr.rate_limit_rps=2",
                "drr.tenant_header=X-Tenant",
                Rig.route("", backend.port()))) {
      assertThat(statuses(rig, 6, "X-Tenant: acme")).contains("429");
      assertThat(statuses(rig, 2, "Authorization: Bearer " + mint("tenant = acme")))
          .as("the real one has its rate")
          .isEqualTo("200 200 ");
    }
  }

  @Test
  @SeedRow({"G51", "G59"})
  void aCodedBodyArrivesPlainAndABombDoesNotArrive() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("", backend.port()))) {
      assertThat(coded(rig, "/mirror", "gzip", gzip("hello".getBytes(StandardCharsets.US_ASCII))))
          .contains(" 200 ")
          .endsWith("hello");
      assertThat(coded(rig, WHOLE, "gzip", gzip(new byte[2_000_000])))
          .contains(" 413 ")
          .contains("decoded-ratio");
      assertThat(coded(rig, WHOLE, "gzip", gzip(new byte[20_000])))
          .as("a small one")
          .contains(" 413 ")
          .contains("decoded-ratio");
      assertThat(coded(rig, WHOLE, "gzip, gzip", gzip(gzip(new byte[2_000_000]))))
          .contains(" 413 ")
          .contains("decoded-ratio");
      assertThat(rig.metric("rejected_total{reason=\"decoded-ratio\"}")).isEqualTo(3);
      assertThat(coded(rig, WHOLE, "rot13", new byte[] {1})).contains(" 415 ");
      assertThat(coded(rig, WHOLE, "gzip", new byte[] {1, 2, 3})).contains(" 400 ");
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  void anAnswerThatHasBegunIsCutWhenTheBodyProvesABomb() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("", backend.port()));
        var client = rig.connect()) {
      var bomb = new ByteArrayOutputStream();
      var gzip = new GZIPOutputStream(bomb, true);
      gzip.write("hello".getBytes(StandardCharsets.US_ASCII));
      gzip.flush();
      int begun = bomb.size();
      gzip.write(new byte[2_000_000]);
      gzip.close();
      String body = bomb.toString(StandardCharsets.ISO_8859_1);

      client.send(head("/mirror", "gzip", bomb.size()) + body.substring(0, begun));
      assertThat(client.head()).contains(" 200 ");
      assertThat(client.line() + client.line()).isEqualTo("5hello");
      client.sendAnyway(body.substring(begun));
      assertThat("\r\n" + client.rest()).as("no last chunk").doesNotContain("\r\n0\r\n");
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  private static String head(String path, String coding, int length) {
    return "POST %s HTTP/1.1\r\nHost: a\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n"
        .formatted(path, coding, length);
  }

  private static String coded(Rig rig, String path, String coding, byte[] body) throws Exception {
    try (var client = rig.connect()) {
      client.send(head(path, coding, body.length));
      client.sendAnyway(new String(body, StandardCharsets.ISO_8859_1));
      return client.answer();
    }
  }

  private static byte[] gzip(byte[] plain) throws Exception {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  @Test
  @SeedRow({"G58", "G68"})
  void underPressureWritesAreRefusedFirstAndReadsGoOn() throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.open(
                "limits.inflight=10",
                "drr.tenant_header=X-Tenant",
                Rig.route("max_concurrent=16,timeout=\"20s\"", backend.port()))) {
      List<RawClient> hanging = new ArrayList<>();
      try {
        for (int i = 0; i < 9; i++) {
          RawClient client = rig.connect();
          hanging.add(client);
          client.send("GET /hang HTTP/1.1\r\nHost: a\r\nX-Tenant: loud\r\n\r\n");
        }
        assertThat(Rig.soon(() -> rig.metric("gateway_degraded") == 1)).isTrue();
        assertThat(rig.get("/readyz")).contains(" 503 ").contains("writes are refused");
        String post = "POST /x HTTP/1.1\r\nHost: a\r\nX-Tenant: %s\r\nContent-Length: 0\r\n\r\n";
        assertThat(rig.ask(post.formatted("loud")))
            .contains(" 503 ")
            .contains("\"code\":\"degraded\"")
            .contains("Retry-After: 1")
            .contains("\"tenant_class\":\"header\"");
        assertThat(rig.get("/x", "X-Tenant: loud")).as("reads go on").contains(" 200 ");
        assertThat(rig.ask(post.formatted("quiet"))).as("whoever takes little").contains(" 200 ");
      } finally {
        for (RawClient client : hanging) {
          client.socket().setSoLinger(true, 0);
          client.close();
        }
      }
      assertThat(Rig.soon(() -> rig.metric("gateway_degraded") == 0)).isTrue();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }
}
