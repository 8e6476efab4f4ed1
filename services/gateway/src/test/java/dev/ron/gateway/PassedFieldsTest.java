package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.RawHttp2;
import dev.ron.testkit.RecordingOrigin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which fields of a client reach an upstream, and under which paths, over both protocols. */
final class PassedFieldsTest {
  private static final List<String> CLAIMS =
      List.of(
          "x-forwarded-for",
          "x-forwarded-prefix",
          "x-forwarded-server",
          "x-forwarded-scheme",
          "x-forwarded-port",
          "x-forwarded",
          "forwarded",
          "x-original-url",
          "x-rewrite-url",
          "x-original-host",
          "x-host",
          "x-http-method-override",
          "x-http-method",
          "x-method-override",
          "x-real-ip",
          "true-client-ip",
          "x-client-ip",
          "cf-connecting-ip",
          "client-cert",
          "proxy",
          "x_forwarded_for",
          "x-forwarded_for",
          "content_length",
          "transfer_encoding",
          "x.real.ip");

  private RecordingOrigin origin;
  private Rig rig;

  @BeforeEach
  void open() throws Exception {
    origin = new RecordingOrigin();
    rig =
        Rig.open(
            "routes=["
                + Rig.table("/", "retries=0", origin.port())
                + ","
                + Rig.table("/strip", "strip_prefix=true", origin.port())
                + "]");
  }

  @AfterEach
  void close() throws Exception {
    rig.close();
    origin.close();
  }

  /** Names and values in turn; the status. */
  private String ask(boolean http2, String path, List<String> fields, List<String> trailers)
      throws Exception {
    if (http2) {
      var block =
          new ArrayList<>(
              List.of(":method", "POST", ":scheme", "http", ":authority", "a", ":path", path));
      block.addAll(fields);
      try (var client = new RawHttp2(rig.port())) {
        return client.ask(block, "abc".getBytes(StandardCharsets.US_ASCII), trailers);
      }
    }
    try (var client = new RawClient(rig.port())) {
      client.send(
          "POST %s HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n%s\r\n3\r\nabc\r\n0\r\n%s\r\n"
              .formatted(path, lines(fields), lines(trailers)));
      return client.head().substring(9, 12);
    }
  }

  private static String lines(List<String> fields) {
    var lines = new StringBuilder();
    for (int i = 0; i < fields.size(); i += 2) {
      lines.append(fields.get(i)).append(": ").append(fields.get(i + 1)).append("\r\n");
    }
    return lines.toString();
  }

  private static List<String> each(List<String> names) {
    return names.stream().flatMap(name -> List.of(name, "forged").stream()).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatOnlyAProxyMaySayIsDroppedFromHeadsAndTrailers(boolean http2) throws Exception {
    assertThat(ask(http2, "/p1", each(CLAIMS), each(CLAIMS))).isEqualTo("200");
    assertThat(origin.requests())
        .singleElement()
        .satisfies(
            heard -> {
              assertThat(heard.fields()).noneMatch(field -> field.contains("forged"));
              assertThat(heard.trailers()).isEmpty();
              assertThat(heard.values("x-forwarded-for")).containsExactly("127.0.0.1");
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheClientMaySayPasses(boolean http2) throws Exception {
    var fields =
        List.of("authorization", "Basic YQ==", "x-own", "1", "x-http", "2", "te", "trailers");
    assertThat(ask(http2, "/p1", fields, List.of("x-sum", "7"))).isEqualTo("200");
    assertThat(origin.requests())
        .singleElement()
        .satisfies(
            heard -> {
              assertThat(heard.fields())
                  .contains("authorization: Basic YQ==", "x-own: 1", "x-http: 2", "te: trailers");
              assertThat(heard.trailers()).containsExactly("x-sum: 7");
              assertThat(heard.body()).asString().isEqualTo("abc");
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cookiesInPiecesArriveAsOne(boolean http2) throws Exception {
    var crumbs = List.of("cookie", "a=1", "x-own", "1", "cookie", "b=2", "cookie", "c=3");
    assertThat(ask(http2, "/p1", crumbs, List.of())).isEqualTo("200");
    assertThat(origin.requests().getFirst().values("cookie")).containsExactly("a=1; b=2; c=3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestThatGoesInALoopIsEnded(boolean http2) throws Exception {
    assertThat(ask(http2, "/p1", List.of("via", "1.1 a, 1.1 b"), List.of())).isEqualTo("200");
    assertThat(origin.requests().getFirst().values("via"))
        .containsExactly("1.1 a, 1.1 b", "1.1 ron-gateway");
    String many = "1.1 ron-gateway, ".repeat(15) + "1.1 ron-gateway";
    assertThat(ask(http2, "/p2", List.of("via", many), List.of())).isEqualTo("400");
    assertThat(origin.requests()).hasSize(1);
  }

  /** Where the body ends and the other protocol begins, two servers could differ. */
  @Test
  void anUpgradeWithABodyIsPassedOnWithoutTheUpgrade() throws Exception {
    try (var client = new RawClient(rig.port())) {
      client.send(
          "GET /p1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Content-Length: 3\r\n\r\nabc");
      assertThat(client.head()).contains(" 200 ");
    }
    assertThat(origin.requests().getFirst().fields())
        .noneMatch(field -> field.startsWith("upgrade") || field.startsWith("connection"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/raw/..%2fguarded",
        "/raw/..%2Fguarded",
        "/raw/%2e%2e%2fguarded",
        "/raw/..;/guarded",
        "/raw/..;a=b/guarded",
        "/raw/..%5cguarded",
        "/raw/..%255cguarded",
        "/raw//guarded",
        "//guarded",
        "/raw/a%2fb",
        "/raw/a;b",
        "/strip//guarded",
        "/strip/..%2fguarded"
      })
  void aPathWithMoreThanOneReadingIsRefused(String path) throws Exception {
    assertThat(ask(true, path, List.of(), List.of())).isEqualTo("400");
    assertThat(rig.get(path))
        .contains(" 400 ")
        .contains("the path has more than one reading: it has");
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/raw/%c0%ae%c0%ae/guarded",
        "/raw/%C0%AE%C0%AE%C0%AFguarded",
        "/raw/%e0%80%ae%e0%80%ae/guarded",
        "/raw/%ed%a0%80",
        "/raw/%f4%90%80%80",
        "/strip/%c0%ae%c0%ae/guarded"
      })
  void aPathThatIsNotUtf8IsRefused(String path) throws Exception {
    assertThat(ask(true, path, List.of(), List.of())).isEqualTo("400");
    assertThat(rig.get(path)).contains(" 400 ").contains("the escapes are not UTF-8");
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/raw/", "/raw/a%20b", "/raw/.a", "/raw/a..b", "/raw/a:b@c,d", "/raw/%E2%82%AC"})
  void aPathWithOneReadingPasses(String path) throws Exception {
    assertThat(ask(true, path, List.of(), List.of())).isEqualTo("200");
    assertThat(ask(false, path, List.of(), List.of())).isEqualTo("200");
    assertThat(
            origin.requests().stream()
                .map(RecordingOrigin.Heard::target)
                .collect(Collectors.toSet()))
        .containsExactly(path);
  }
}
