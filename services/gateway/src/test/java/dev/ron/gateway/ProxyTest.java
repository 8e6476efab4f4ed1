package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What passes through a gateway in front of a real server. */
final class ProxyTest {
  private static Backend backend;
  private static Rig rig;

  @BeforeAll
  static void open() throws Exception {
    backend = new Backend();
    int port = backend.port();
    rig =
        Rig.open(
            "limits.body_bytes=64MiB",
            "routes=["
                + Rig.table("/", "", port)
                + ","
                + Rig.table("/strip", "strip_prefix=true", port)
                + ","
                + Rig.table("/host", "preserve_host=true", port)
                + ",{prefix=\"/absent\",upstreams=[]}"
                + ","
                + Rig.table("/small", "body_bytes=\"10B\"", port)
                + ","
                + Rig.table("/dead", "retries=0", 1)
                + ","
                + Rig.table("/read-only", "methods=[\"GET\"]", port)
                + "]");
  }

  @AfterAll
  static void close() {
    rig.close();
    backend.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /a?b=c            | GET /a?b=c
          /                 | GET /
          /strip/x?y        | GET /x?y
          /strip            | GET /
          /strip?y          | GET /?y
          /a/./b/../c       | GET /a/c
          /%7euser/%2b      | GET /~user/%2B
          /stripped/x       | GET /stripped/x
          """)
  void thePathThatIsMatchedIsThePathThatIsForwarded(String asked, String forwarded)
      throws Exception {
    assertThat(rig.get(asked)).contains(" 200 ").contains("\n" + forwarded + "\n");
  }

  @Test
  void fieldsOfOneConnectionStayThere() throws Exception {
    String answer =
        rig.get(
            "/x",
            "Connection: X-Mine, keep-alive",
            "X-Mine: no",
            "Keep-Alive: 5",
            "TE: gzip, trailers",
            "Upgrade: h2c",
            "Proxy-Authorization: no",
            "X-Other: yes",
            "Authorization: Bearer abc");
    assertThat(answer)
        .contains("X-Other: yes\n")
        .contains("TE: trailers\n")
        .contains("Authorization: Bearer abc\n")
        .doesNotContain("X-Mine")
        .doesNotContain("Keep-Alive")
        .doesNotContain("Upgrade")
        .doesNotContain("Proxy-Authorization");
  }

  @Test
  void whoAskedIsSaidByTheGatewayAlone() throws Exception {
    String answer =
        rig.get("/x", "X-Forwarded-For: 1.2.3.4", "Forwarded: for=1.2.3.4", "X-Real-IP: 1.2.3.4");
    assertThat(answer)
        .contains("X-Forwarded-For: 127.0.0.1\n")
        .contains("Forwarded: for=127.0.0.1;host=\"gate\";proto=http\n")
        .contains("X-Forwarded-Host: gate\n")
        .contains("X-Forwarded-Proto: http\n")
        .contains("Host: 127.0.0.1:" + backend.port())
        .doesNotContain("1.2.3.4");
    assertThat(rig.get("/host/x")).contains("Host: gate\n");
  }

  @Test
  void aTrustedProxyIsBelieved() throws Exception {
    try (Rig trusting =
        Rig.open("trusted_proxies=[\"127.0.0.0/8\"]", Rig.route("", backend.port()))) {
      assertThat(trusting.get("/x", "X-Forwarded-For: 1.2.3.4", "Forwarded: for=1.2.3.4"))
          .contains("X-Forwarded-For: 1.2.3.4, 127.0.0.1\n")
          .contains("Forwarded: for=1.2.3.4, for=127.0.0.1;host=\"gate\";proto=http\n");
    }
  }

  @Test
  void theRestOfTheTimeAndTheCorrelationIdTravel() throws Exception {
    String answer = rig.get("/x", "Request-Timeout: 2", "X-Corr-ID: abc-123");
    assertThat(answer)
        .contains("X-Corr-ID: abc-123\n")
        .containsPattern("Request-Timeout: (1?[0-9]{3}|2000)ms\n");
    assertThat(rig.get("/x")).containsPattern("Request-Timeout: (4[0-9]{3}|5000)ms\n");
  }

  @Test
  void theAnswersFieldsAreTheUpstreams() throws Exception {
    String answer = rig.get("/bytes/3");
    assertThat(answer)
        .containsOnlyOnce("Date: ")
        .containsOnlyOnce("X-Corr-ID: ")
        .containsOnlyOnce("Content-Security-Policy") // the backend's own
        .containsOnlyOnce("Content-Length: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /absent/x    | 502 | "code":"upstream"
          GET    | /dead        | 502 | "code":"upstream"
          POST   | /read-only/x | 405 | this path answers GET
          GET    | /read-only/x | 200 |
          """)
  void refusals(String method, String path, int status, String words) throws Exception {
    String answer = rig.ask(method + " " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(answer).contains(" " + status + " ").contains(words == null ? "" : words);
  }

  @Test
  void aRefusalNamesTheTenantsClassAndTheDepthOfItsLine() throws Exception {
    assertThat(rig.get("/absent"))
        .contains("\"tenant_class\":\"anonymous\",\"queue_depth\":\"0\"")
        .contains("it is not part of this node");
  }

  @Test
  void bodiesPassBothWaysWithTheirFraming() throws Exception {
    try (var client = rig.connect()) {
      client.send("POST /mirror HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
      assertThat(client.answer()).contains(" 200 ").contains("X-Length: 3").endsWith("abc");
      client.send(
          RawClient.http(
              "POST /mirror HTTP/1.1",
              "Host: a",
              "Transfer-Encoding: chunked",
              "",
              "3",
              "abc",
              "2",
              "de",
              "0",
              "X-Sum: 7",
              "X-Corr-ID: evil",
              "",
              ""));
      assertThat(client.answer()).contains("X-Length: null").endsWith("abcde[X-Sum: 7]");
      client.send("HEAD /bytes/77 HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains(" 200 ").contains("Content-Length: 77");
      client.send("GET /bytes/5 HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.answer()).contains("Content-Length: 5");
    }
  }

  /** All but 100, which is between two neighbours (RFC 9110, 15.2). */
  @Test
  void whatAnUpstreamSaysBeforeItsAnswerPasses() throws Exception {
    String hint = "HTTP/1.1 103 Early Hints|Link: </a.css>|Connection: X|X: 1||";
    String said = "HTTP/1.1 100 Continue||" + hint + "HTTP/1.1 200 OK|Content-Length: 2||ok";
    try (var upstream = RawUpstream.saying(said.replace("|", "\r\n"));
        Rig hinted = Rig.open(Rig.route("retries=0", upstream.port()));
        RawClient client = hinted.connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).isEqualTo("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nok");
      assertThat(hinted.ask("GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void aClientThatAsksFirstIsToldToGoOn() throws Exception {
    try (var client = rig.connect()) {
      client.send(
          "POST /mirror HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertThat(client.head()).contains(" 100 ");
      assertThat(client.send("abc").answer()).contains(" 200 ").endsWith("abc");
    }
  }

  @Test
  @SeedRow("G50")
  void aBodyPastItsRoutesCapIsRefused() throws Exception {
    assertThat(rig.ask("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n12345678901"))
        .contains(" 413 ")
        .contains("body-cap");
    assertThat(
            rig.ask(
                RawClient.http(
                    "POST /small HTTP/1.1",
                    "Host: a",
                    "Transfer-Encoding: chunked",
                    "",
                    "b",
                    "12345678901",
                    "0",
                    "",
                    "")))
        .contains(" 413 ");
    assertThat(rig.ask("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1234567890"))
        .contains(" 200 ");
  }

  @Test
  @SeedRow("G50")
  void aLargeBodyStreamsThroughBothWays() throws Exception {
    int large = 24 * 1024 * 1024;
    var step = new byte[64 * 1024];
    Arrays.fill(step, (byte) 'x');
    try (var client = rig.connect()) {
      client.send("PUT /mirror HTTP/1.1\r\nHost: a\r\nContent-Length: " + large + "\r\n\r\n");
      Thread sender =
          Thread.startVirtualThread(
              () -> {
                try {
                  OutputStream to = client.socket().getOutputStream();
                  for (int at = 0; at < large; at += step.length) {
                    to.write(step);
                  }
                } catch (java.io.IOException gone) {
                  throw new IllegalStateException(gone);
                }
              });
      assertThat(client.head()).contains(" 200 ");
      InputStream in = client.socket().getInputStream();
      long body = 0;
      while (body < large) {
        int size = Integer.parseInt(client.line(), 16);
        in.skipNBytes(size + 2L);
        body += size;
      }
      assertThat(client.line()).isEqualTo("0");
      sender.join();
    }
  }

  @Test
  void eventsArriveAsTheyComeAndEndWithTheClient() throws Exception {
    try (var client = rig.connect()) {
      client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.head()).contains("text/event-stream");
      for (int i = 0; i < 3; i++) {
        assertThat(client.line()).isEqualTo("c");
        assertThat(client.line() + client.line() + client.line()).contains("data: tick");
      }
    }
    assertThat(Rig.soon(rig::isQuiet)).isTrue();
  }

  @Test
  void aWebSocketPassesAndHoldsItsPlaceUntilItEnds() throws Exception {
    try (RawUpstream upstream =
            new RawUpstream(
                (in, socket) -> {
                  RawUpstream.head(in);
                  RawUpstream.say(
                      socket,
                      RawClient.http(
                          "HTTP/1.1 101 Switching Protocols",
                          "Upgrade: websocket",
                          "Connection: Upgrade",
                          "Sec-WebSocket-Accept: x",
                          "",
                          "!"));
                  for (int b = in.read(); b >= 0; b = in.read()) {
                    socket.getOutputStream().write(b);
                  }
                });
        Rig one = Rig.open(Rig.route("max_concurrent=1,timeout=\"300ms\"", upstream.port()));
        RawClient client = one.connect()) {
      client.send(
          RawClient.http(
              "GET /ws HTTP/1.1",
              "Host: a",
              "Upgrade: websocket",
              "Connection: Upgrade",
              "Sec-WebSocket-Key: k",
              "",
              ""));
      assertThat(client.head()).contains(" 101 ").contains("Sec-WebSocket-Accept: x");
      client.send("ping");
      byte[] back = client.socket().getInputStream().readNBytes(5);
      assertThat(new String(back, StandardCharsets.US_ASCII)).isEqualTo("!ping");
      assertThat(upstream.heard()).contains("Upgrade: websocket\r\n");
      assertThat(one.get("/x")).as("the only place is taken").contains(" 504 ");
      client.socket().close();
      assertThat(Rig.soon(one::isQuiet)).isTrue();
    }
  }

  @Test
  void oneOfThreeIsDeadAndNobodyNotices() throws Exception {
    assertThatThrownBy(() -> Rig.config(Rig.route("", 1, 2, 1)))
        .hasMessageContaining("name one twice");
    try (Backend second = new Backend();
        Rig three = Rig.open(Rig.route("", backend.port(), 1, second.port()))) {
      for (int i = 0; i < 60; i++) {
        assertThat(three.get("/x")).contains(" 200 ");
      }
    }
  }
}
