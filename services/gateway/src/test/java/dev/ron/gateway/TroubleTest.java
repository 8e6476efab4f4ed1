package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.FreePorts;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upstreams that die, dawdle, lie or talk out of turn, and clients that vanish. */
final class TroubleTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** What the upstream says, and what the client hears. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NOT HTTP                                                            | 502
          HTTP/1.1 200 OK~Content-Length: 2~Content-Length: 3~~ok             | 502
          HTTP/1.1 200 OK~Content-Length: 2~Transfer-Encoding: chunked~~ok    | 502
          HTTP/1.1 200 OK~Transfer-Encoding: gzip~~ok                         | 502
          HTTP/1.1 200 OK~X: a                                                | 502
          HTTP/1.1 200 OK~ X: folded~~                                        | 502
          HTTP/1.1 101 Switching~Upgrade: x~Connection: Upgrade~~             | 502
          HTTP/1.1 999 What~Content-Length: 0~~                               | 502
          HTTP/1.1 204 No~~                                                   | 204
          HTTP/1.1 304 Same~Content-Length: 99~~                              | 304
          HTTP/1.1 100 Go~~HTTP/1.1 200 OK~Content-Length: 2~~ok              | 200
          HTTP/1.0 200 OK~~ok                                                 | 200
          """)
  void whatAnUpstreamSaysIsPassedOnOnlyIfItHasOneReading(String says, int status) throws Exception {
    String answer = says.replace("~", "\r\n");
    try (RawUpstream upstream =
            new RawUpstream(
                (in, socket) -> {
                  RawUpstream.head(in);
                  RawUpstream.say(socket, answer);
                });
        Rig rig = Rig.open(Rig.route("retries=0,timeout=\"2s\"", upstream.port()));
        RawClient client = rig.connect()) {
      client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains(" " + status + " ");
      client.socket().close();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  void anAnswerThatIsShorterThanItSaysIsSeenToBe() throws Exception {
    try (RawUpstream upstream =
            new RawUpstream(
                (in, socket) -> {
                  RawUpstream.head(in);
                  RawUpstream.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf!");
                });
        Rig rig = Rig.open(Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains("Content-Length: 10");
      assertThat(client.rest()).startsWith("half!").hasSizeLessThan(10 + "<reset>".length());
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  void whatComesBehindAnAnswerIsNobodysAnswer() throws Exception {
    try (RawUpstream upstream = RawUpstream.saying(OK + "HTTP/1.1 200 OK\r\nEvil: 1\r\n\r\n");
        Rig rig = Rig.open(Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      for (int i = 0; i < 5; i++) {
        client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.answer()).endsWith("ok").doesNotContain("Evil");
      }
    }
  }

  @Test
  void aFieldPassesAsTheBytesItIs() throws Exception {
    String bytes = "X-Name: caf\u00c3\u00a9 \u00ff";
    try (RawUpstream upstream =
            RawUpstream.saying(OK.replace("OK\r\n", "OK\r\n" + bytes + "\r\n"));
        Rig rig = Rig.open(Rig.route("", upstream.port()))) {
      assertThat(rig.get("/x", bytes)).contains(bytes + "\r\n");
      assertThat(upstream.heard()).contains(bytes + "\r\n");
    }
  }

  @Test
  void connectionsToAnUpstreamAreKept() throws Exception {
    try (RawUpstream upstream = RawUpstream.saying(OK);
        Rig rig = Rig.open("loops=1", Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      for (int i = 0; i < 50; i++) {
        client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.answer()).endsWith("ok");
      }
      assertThat(upstream.connections()).isEqualTo(1);
    }
  }

  @Test
  void anUpstreamMayAnswerBeforeItHasHeardEverything() throws Exception {
    try (RawUpstream upstream =
            new RawUpstream(
                (in, socket) -> {
                  RawUpstream.head(in);
                  RawUpstream.say(
                      socket,
                      "HTTP/1.1 413 No\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
                  socket.shutdownOutput();
                  in.skipNBytes(100_000);
                });
        Rig rig = Rig.open("limits.body_bytes=10MiB", Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      client.send("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
      client.send("x".repeat(70_000));
      assertThat(client.answer()).contains(" 413 ").endsWith("big");
      client.socket().close();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  void aSlowUpstreamCostsItsTimeAndNoMore() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("timeout=\"300ms\",max_concurrent=2", backend.port()))) {
      for (int i = 0; i < 2; i++) {
        long begun = System.nanoTime();
        assertThat(rig.get("/hang")).contains(" 504 ").contains("\"code\":\"timeout\"");
        // 300 ms and a tick; the rest is for a busy machine
        assertThat(System.nanoTime() - begun).isLessThan(5_000_000_000L);
        assertThat(Rig.soon(rig::isQuiet)).isTrue();
      }
      assertThat(rig.get("/x")).as("the places are free again").contains(" 200 ");
    }
  }

  @Test
  @SeedRow("G44")
  void aClientsOwnDeadlineHoldsAndDoesNotCountAgainstTheUpstream() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("", backend.port()))) {
      for (int i = 0; i < 5; i++) {
        assertThat(rig.get("/hang", "Request-Timeout: 20ms")).contains(" 504 ");
      }
      assertThat(rig.get("/x")).contains(" 200 ");
      assertThat(rig.get("/events", "Request-Timeout: 300ms")).contains("text/event-stream");
    } catch (java.io.EOFException cut) {
      // the stream was cut at the client's own deadline, as it asked
    }
  }

  @Test
  @SeedRow("G44")
  void aRequestWaitingInLineEndsAtItsDeadline() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("timeout=\"1s\",max_concurrent=1", backend.port()));
        RawClient first = rig.connect();
        RawClient second = rig.connect()) {
      first.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(Rig.soon(() -> backend.hanging.get() == 1)).isTrue();
      String depth = "gateway_drr_queue_depth{tenant=\"anonymous\"}";
      second.send("GET /x HTTP/1.1\r\nHost: a\r\nRequest-Timeout: 200ms\r\n\r\n");
      assertThat(Rig.soon(() -> rig.metric(depth) == 1)).isTrue();
      assertThat(second.answer()).contains(" 504 ");
      assertThat(first.answer()).contains(" 504 ");
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  void aClientThatVanishesInTheMiddleOfItsBodyLeavesNothingBehind() throws Exception {
    var cut = new CountDownLatch(1);
    try (RawUpstream upstream =
            new RawUpstream(
                (in, socket) -> {
                  try {
                    in.transferTo(java.io.OutputStream.nullOutputStream());
                  } catch (IOException reset) {
                    // that is an end too
                  }
                  cut.countDown();
                });
        Rig rig = Rig.open("limits.body_bytes=10MiB", Rig.route("", upstream.port()))) {
      try (RawClient client = rig.connect()) {
        client.send("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        client.send("x".repeat(100_000));
        assertThat(Rig.soon(() -> upstream.heard().length() > 50_000)).isTrue();
        client.socket().setSoLinger(true, 0);
      }
      assertThat(cut.await(10, TimeUnit.SECONDS)).as("the upstream saw the end").isTrue();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  @SeedRow({"G05", "G15", "G55", "G65"})
  void slowHeadsAndBodiesAreCutAndNeverReachAPlace() throws Exception {
    try (RawUpstream upstream = RawUpstream.saying(OK);
        Rig rig = Rig.open("read_timeout=200ms", Rig.route("timeout=\"30s\"", upstream.port()))) {
      assertThat(rig.ask("GET /x HTTP/1.1\r\nHost")).contains(" 408 ");
      assertThat(rig.ask("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"))
          .contains(" 408 ")
          .contains("slow-sender");
      assertThat(rig.metric("io_timeouts_total{op=\"read\"}")).isEqualTo(2);
      assertThat(upstream.connections()).as("a small body is taken in first").isZero();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  @SeedRow("G14")
  void aDeadPoolIsLeftAloneShownByReadinessAndFoundAgain() throws Exception {
    int port = FreePorts.one();
    try (Rig rig = Rig.open(Rig.route("retries=0", port))) {
      for (int i = 0; i < 3; i++) {
        assertThat(rig.get("/x")).contains(" 502 ").contains("cannot connect");
      }
      assertThat(rig.get("/x"))
          .contains(" 503 ")
          .contains("\"code\":\"degraded\"")
          .contains("Retry-After: 1")
          .contains("\"tenant_class\":\"anonymous\"");
      assertThat(rig.get("/readyz")).contains(" 503 ").contains("no upstream answers for /");
      try (var backend = new Backend(Duration.ofMillis(1), port)) {
        // Nobody asks it: the prober finds out by itself.
        assertThat(Rig.soon(20_000, () -> rig.scope.readiness().ready())).isTrue();
        assertThat(rig.get("/readyz")).contains(" 200 ");
        assertThat(rig.get("/x")).contains(" 200 ");
        assertThat(backend.port()).isEqualTo(port);
      }
    }
  }

  @Test
  void aHealthPathTakesASickUpstreamOutOfItsPool() throws Exception {
    String sick = "HTTP/1.1 503 Sick\r\nContent-Length: 4\r\n\r\nsick";
    try (Backend well = new Backend();
        RawUpstream ill = RawUpstream.saying(sick);
        Rig rig = Rig.open(Rig.route("health=\"/status\"", well.port(), ill.port()))) {
      assertThat(Rig.soon(() -> count(ill.heard(), "GET /status ") >= 2)).isTrue();
      assertThat(Rig.soon(() -> passes(rig, 20))).as("only the one that is well").isTrue();
    }
  }

  private static boolean passes(Rig rig, int count) {
    try {
      for (int i = 0; i < count; i++) {
        if (!rig.get("/x").contains(" 200 ")) {
          return false;
        }
      }
      return true;
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }

  @Test
  @SeedRow({"G42", "G66"})
  void onlyARequestThatMayBeRepeatedIsTriedAgain() throws Exception {
    // Takes the request and hangs up: nobody can know whether it was done.
    try (RawUpstream upstream = new RawUpstream((in, socket) -> RawUpstream.head(in));
        Rig rig = Rig.open(Rig.route("retries=2", upstream.port()))) {
      assertThat(rig.ask("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"))
          .contains(" 502 ");
      assertThat(count(upstream.heard(), "POST /x")).isEqualTo(1);
      upstream.forget();
      assertThat(rig.ask("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"))
          .contains(" 50");
      int tries = count(upstream.heard(), "PUT /x");
      assertThat(tries).isBetween(2, 3);
      assertThat(rig.metric("backoff_retries_total{op=\"upstream\"}")).isEqualTo(tries - 1);
    }
  }

  @Test
  @SeedRow("G47")
  void drainingLetsWhatIsUnderWayEndAndRefusesTheRest() throws Exception {
    try (Backend backend = new Backend(Duration.ofMillis(300), 0)) {
      Rig rig = Rig.open(Rig.route("", backend.port()));
      try (RawClient client = rig.connect()) {
        client.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(Rig.soon(() -> backend.running.get() == 1)).isTrue();
        var report = rig.drain();
        assertThat(client.answer()).contains(" 200 ").contains("Connection: close");
        assertThat(report.requestsCut()).isZero();
      }
    }
  }
}
