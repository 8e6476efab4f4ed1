package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.RawHttp2;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a few bad requests, and clients that leave, may not do to all others. */
final class BadRequestsTest {
  private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final String GET = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n";

  /** Has a handler that breaks its answers, one that never ends, and good ones. */
  private static RawUpstream upstream() throws IOException {
    return new RawUpstream(
        (in, socket) -> {
          for (String path = path(in); !path.isEmpty(); path = path(in)) {
            switch (path) {
              case "/bad", "/worse" ->
                  RawUpstream.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n");
              case "/endless" -> {
                RawUpstream.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nbegin");
                in.transferTo(java.io.OutputStream.nullOutputStream());
              }
              default -> RawUpstream.say(socket, GOOD);
            }
          }
        });
  }

  private static String path(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      line.append((char) b);
    }
    return RawUpstream.head(in) ? line.toString().split(" ", -1)[1] : "";
  }

  @Test
  void oneBadRequestWithAllItsTriesClosesNothing() throws Exception {
    try (RawUpstream upstream = upstream();
        Rig rig = Rig.open(Rig.route("", upstream.port()))) {
      assertThat(rig.get("/bad")).contains(" 502 ");
      assertThat(rig.get("/good")).contains(" 200 ");
      assertThat(
              rig.metric(
                  "gateway_upstream_limit{pool=\"/\",upstream=\"127.0.0.1:%d\"}"
                      .formatted(upstream.port())))
          .isEqualTo(128);
    }
  }

  @Test
  void badRequestsAndAnEndlessAnswerLeaveTheRouteToOthers() throws Exception {
    try (RawUpstream upstream = upstream();
        Rig rig = Rig.open(Rig.route("", upstream.port()))) {
      for (int i = 0; i < 4; i++) {
        assertThat(rig.get("/bad")).contains(" 502 ");
        assertThat(rig.get("/good")).contains(" 200 ");
      }
      try (RawClient endless = rig.connect()) {
        endless.send(GET.formatted("/endless"));
        assertThat(endless.head()).contains(" 200 ");
      }
      for (int i = 0; i < 20; i++) {
        assertThat(rig.get("/good")).contains(" 200 ");
      }
      assertThat(Rig.soon(rig::isQuiet)).as("its place is back").isTrue();
    }
  }

  private static double limit(Rig rig, RawUpstream upstream) {
    return rig.metric(
        "gateway_upstream_limit{pool=\"/\",upstream=\"127.0.0.1:%d\"}".formatted(upstream.port()));
  }

  @Test
  void oneTenantWithTwoBrokenPathsLeavesTheOthersTheirPlaces() throws Exception {
    try (RawUpstream upstream = upstream();
        Rig rig = Rig.open("drr.tenant_header=X-Tenant", Rig.route("", upstream.port()))) {
      for (int i = 0; i < 12; i++) {
        assertThat(rig.get(i % 2 == 0 ? "/bad" : "/worse", "X-Tenant: loud")).contains(" 502 ");
      }
      assertThat(limit(rig, upstream)).as("alone").isEqualTo(64);
      assertThat(rig.get("/good", "X-Tenant: quiet")).contains(" 200 ");
      for (int i = 0; i < 12; i++) {
        assertThat(rig.get(i % 2 == 0 ? "/bad" : "/worse", "X-Tenant: loud")).contains(" 502 ");
      }
      assertThat(limit(rig, upstream)).as("beside another").isGreaterThanOrEqualTo(64);
    }
  }

  /** Two tenants make the places few; what one of them then holds must not be all of them. */
  @Test
  void whileThereAreFewPlacesOneTenantCannotHoldThemAll() throws Exception {
    List<RawClient> endless = new ArrayList<>();
    try (RawUpstream upstream = upstream();
        Rig rig =
            Rig.open("drr.tenant_header=X-Tenant", Rig.route("timeout=\"20s\"", upstream.port()))) {
      for (int i = 0; i < 4; i++) {
        endless.add(rig.connect());
        endless.getLast().send(download("early"));
        assertThat(endless.getLast().head()).contains(" 200 ");
      }
      for (int i = 0; i < 40 && limit(rig, upstream) > 8; i++) {
        rig.get("/bad", "X-Tenant: loud" + i % 2);
      }
      assertThat(limit(rig, upstream)).isEqualTo(8);
      for (int i = 0; i < 12; i++) {
        endless.add(rig.connect());
        endless.getLast().send(download(i < 6 ? "early" : "late"));
      }
      assertThat(endless.getLast().socket().isConnected()).isTrue();
      String waits = "gateway_drr_queue_depth{tenant=\"%s\"}";
      assertThat(Rig.soon(() -> rig.metric(waits.formatted("early")) == 6)).isTrue();
      assertThat(Rig.soon(() -> rig.metric(waits.formatted("late")) == 4)).isTrue();
      for (int i = 0; i < 5; i++) {
        assertThat(rig.get("/good", "X-Tenant: quiet")).contains(" 200 ");
      }
    } finally {
      for (RawClient each : endless) {
        each.close();
      }
    }
  }

  private static String download(String tenant) {
    return "GET /endless HTTP/1.1\r\nHost: a\r\nX-Tenant: " + tenant + "\r\n\r\n";
  }

  @Test
  void theOnlyPlaceComesBackWhenItsClientLeavesAnAnswerThatStandsStill() throws Exception {
    try (RawUpstream upstream = upstream();
        Rig rig = Rig.open(Rig.route("max_concurrent=1,timeout=\"30s\"", upstream.port()));
        RawClient good = rig.connect()) {
      try (RawClient endless = rig.connect()) {
        endless.send(GET.formatted("/endless"));
        assertThat(endless.head()).contains(" 200 ");
        for (int left = "begin".length(); left > 0; left--) {
          assertThat(endless.socket().getInputStream().read()).isPositive();
        }
      }
      good.send(GET.formatted("/good"));
      assertThat(good.answer()).as("within the client's patience of ten seconds").contains("ok");
    }
  }

  @Test
  void requestsBehindAnEndlessAnswerDoNotHideThatTheClientLeft() throws Exception {
    try (RawUpstream upstream = upstream();
        Rig rig = Rig.open(Rig.route("max_concurrent=1,timeout=\"30s\"", upstream.port()));
        RawClient good = rig.connect()) {
      try (RawClient endless = rig.connect()) {
        endless.send(GET.formatted("/endless") + GET.formatted("/good").repeat(100));
        assertThat(endless.head()).contains(" 200 ");
        for (int left = "begin".length(); left > 0; left--) {
          assertThat(endless.socket().getInputStream().read()).isPositive();
        }
      }
      good.send(GET.formatted("/good"));
      assertThat(good.answer()).as("within the client's patience of ten seconds").contains("ok");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1", "HTTP/1.0"})
  @SeedRow("G06")
  void theOnlyPlaceComesBackWhenItsClientLeavesBeforeTheAnswer(String version) throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("max_concurrent=1,timeout=\"60s\"", backend.port()));
        RawClient good = rig.connect()) {
      try (RawClient hanging = rig.connect()) {
        hanging.send("GET /hang " + version + "\r\nHost: a\r\n\r\n");
        assertThat(Rig.soon(() -> backend.hanging.get() == 1)).isTrue();
      }
      good.send(GET.formatted("/x"));
      assertThat(good.answer()).as("within the client's patience of ten seconds").contains(" 200 ");
    }
  }

  @Test
  void aStreamThatIsResetGivesItsPlaceBackAtOnce() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.open(Rig.route("max_concurrent=1,timeout=\"60s\"", backend.port()));
        RawHttp2 client = new RawHttp2(rig.port());
        RawClient good = rig.connect()) {
      client.begin(
          List.of(":method", "GET", ":scheme", "http", ":authority", "a", ":path", "/hang"));
      assertThat(Rig.soon(() -> backend.hanging.get() == 1)).isTrue();
      client.reset();
      good.send(GET.formatted("/x"));
      assertThat(good.answer()).contains(" 200 ");
    }
  }

  @Test
  void whoStillListensGetsTheAnswer() throws Exception {
    try (Backend backend = new Backend(Duration.ofSeconds(3), 0);
        Rig rig = Rig.open(Rig.route("timeout=\"20s\"", backend.port()));
        RawClient client = rig.connect();
        RawClient old = rig.connect()) {
      client.send(GET.formatted("/work")).finishSending();
      old.send("GET /work HTTP/1.0\r\nHost: a\r\n\r\n").finishSending();
      String answer = client.answer();
      for (int i = 0; i < 10 && answer.contains(" 102 "); i++) {
        answer = client.answer();
      }
      assertThat(answer).contains(" 200 ").endsWith("done");
      assertThat(old.answer())
          .as("HTTP/1.0 knows no 102")
          .startsWith("HTTP/1.1 200 OK\r\n")
          .endsWith("done");
    }
  }

  @Test
  @SeedRow({"G05", "G55", "G65"})
  void aDialThatTakesTooLongIsATimeout() throws Exception {
    List<Socket> filling = new ArrayList<>();
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Rig rig = Rig.open(Rig.route("retries=0,timeout=\"20s\"", full.getLocalPort()))) {
      // It never accepts: when its queue is full the system drops what else knocks.
      for (int i = 0; i < 4; i++) {
        var socket = new Socket();
        filling.add(socket);
        try {
          socket.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()), 200);
        } catch (IOException noAnswer) {
          break;
        }
      }
      assertThat(rig.get("/x"))
          .contains(" 504 ")
          .contains("\"code\":\"timeout\"")
          .contains("connecting to 127.0.0.1:" + full.getLocalPort());
      assertThat(rig.metric("io_timeouts_total{op=\"connect\"}")).isEqualTo(1);
    } finally {
      for (Socket socket : filling) {
        socket.close();
      }
    }
  }

  @Test
  @SeedRow("G05")
  void anAnswerThatStandsStillIsCutAtTheIdleTimeout() throws Exception {
    try (RawUpstream upstream = upstream();
        Rig rig = Rig.open("idle_timeout=500ms", Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      client.send(GET.formatted("/endless"));
      assertThat(client.head()).contains(" 200 ");
      assertThat(client.rest()).startsWith("begin");
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }
}
