package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawHttp2;
import dev.ron.testkit.SeedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that two servers may read differently. Behind each stands a request for {@code
 * /smuggled}; the upstream is a bare socket that keeps every byte, so what arrived there is known
 * and not concluded: nothing, or exactly one well-formed request, and never the hidden one.
 */
final class SmugglingTest {
  private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ /\\S* HTTP/1\\.1\\r\\n");

  private static RawUpstream upstream;
  private static Rig rig;

  @BeforeAll
  static void open() throws Exception {
    upstream = RawUpstream.saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    rig = Rig.open(Rig.route("retries=0", upstream.port()), "read_timeout=1s");
  }

  @AfterAll
  static void close() throws Exception {
    rig.close();
    upstream.close();
  }

  /** What the request looks like; each is answered 400 and its connection closed. */
  static Stream<Arguments> malformed() {
    return Stream.of(
        row("bare LF in the head", "GET /a HTTP/1.1\nHost: a\r\n\r\n"),
        row("bare LF at the end", "GET /a HTTP/1.1\r\nHost: a\n\n"),
        row("bare CR in a value", "GET /a HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n"),
        row("obs-fold", "GET /a HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n"),
        row("space before colon", "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\n"),
        row("tab before colon", "GET /a HTTP/1.1\r\nHost: a\r\nX\t: 5\r\n\r\n"),
        row("space before name", "GET /a HTTP/1.1\r\n Host: a\r\n\r\n"),
        row("no colon", "GET /a HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"),
        row("empty name", "GET /a HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n"),
        row("NUL in a value", "GET /a HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n"),
        row("NUL in a name", "GET /a HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n"),
        row("two lengths that differ", body("Content-Length: 5", "Content-Length: 6")),
        row("two lengths that agree", body("Content-Length: 5", "Content-Length: 5")),
        row("a list of lengths", body("Content-Length: 5, 5")),
        row("length with a sign", body("Content-Length: +5")),
        row("negative length", body("Content-Length: -1")),
        row("length in hex", body("Content-Length: 0x5")),
        row("length with a space", body("Content-Length: 5 5")),
        row("empty length", body("Content-Length: ")),
        row("huge length", body("Content-Length: 99999999999999999999")),
        row("length and chunked", body("Content-Length: 5", "Transfer-Encoding: chunked")),
        row("chunked and length", body("Transfer-Encoding: chunked", "Content-Length: 5")),
        row("chunked twice", body("Transfer-Encoding: chunked, chunked")),
        row("two codings lines", body("Transfer-Encoding: chunked", "Transfer-Encoding: identity")),
        row("gzip, chunked", body("Transfer-Encoding: gzip, chunked")),
        row("chunked, identity", body("Transfer-Encoding: chunked, identity")),
        row("identity", body("Transfer-Encoding: identity")),
        row("xchunked", body("Transfer-Encoding: xchunked")),
        row("quoted chunked", body("Transfer-Encoding: \"chunked\"")),
        row("vertical tab", body("Transfer-Encoding: \u000bchunked")),
        row("chunked in 1.0", "POST /a HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
        row(
            "two codings on two lines",
            body("Content-Encoding: identity", "Content-Encoding: gzip")),
        row("two types", body("Content-Type: text/plain", "Content-Type: text/html")),
        row("two credentials", body("Authorization: Basic YQ==", "Authorization: Bearer b")),
        row("Connection names the coding", body("Connection: close, content-encoding")),
        row("Connection names the length", body("Connection: Content-Length")),
        row(
            "Connection names rights",
            body("Authorization: Basic YQ==", "Connection: authorization")),
        row("Connection names the host", body("Connection:\tHost")),
        row("Connection names cookies", body("Connection: X", "Connection: Cookie")),
        row("Connection names who asked", body("Connection: X-Forwarded-For")),
        row("Connection names the method", body("Connection: X-HTTP-Method-Override")),
        row("CONNECT with a path", "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("connect in small letters", "connect /a HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("no Host", "GET /a HTTP/1.1\r\n\r\n"),
        row("two Hosts", "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        row("bad Host", "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n"),
        row("absolute-form mismatch", "GET http://b/a HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("two spaces", "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("control in the target", "GET /a\u0001 HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("escaped control", "GET /a%0d%0aX:y HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("bad escape", "GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("climbing path", "GET /../etc HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("method with a colon", "GE:T /a HTTP/1.1\r\nHost: a\r\n\r\n"),
        row("small letters in the version", "GET /a http/1.1\r\nHost: a\r\n\r\n"));
  }

  /** The head is sound, so it may be on its way when the body turns out not to be. */
  static Stream<Arguments> malformedBodies() {
    return Stream.of(
        row("chunk size with a sign", chunks("+5\r\nhello\r\n0\r\n\r\n")),
        row("chunk size in 0x", chunks("0x5\r\nhello\r\n0\r\n\r\n")),
        row("chunk size with a space", chunks(" 5\r\nhello\r\n0\r\n\r\n")),
        row("huge chunk size", chunks("FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n")),
        row("negative chunk size", chunks("-1\r\nhello\r\n0\r\n\r\n")),
        row("no chunk size", chunks("\r\nhello\r\n0\r\n\r\n")),
        row("bare LF after the size", chunks("5\nhello\r\n0\r\n\r\n")),
        row("chunk longer than it says", chunks("3\r\nhello\r\n0\r\n\r\n")),
        row("chunk without its end", chunks("5\r\nhelloXX0\r\n\r\n")),
        row("bare CR in an extension", chunks("5;a\rb\r\nhello\r\n0\r\n\r\n")),
        row("LF in an extension", chunks("5;a\nb\r\nhello\r\n0\r\n\r\n")),
        row("a length as a trailer", chunks("0\r\nContent-Length: 5\r\n\r\n")),
        row("rights as a trailer", chunks("0\r\nauthorization: Basic YQ==\r\n\r\n")),
        row("bare LF in a trailer", chunks("0\r\nX: y\nZ: w\r\n\r\n")),
        row("folded trailer", chunks("0\r\nX: y\r\n z\r\n\r\n")));
  }

  private static Arguments row(String name, String request) {
    return Arguments.of(name, request);
  }

  private static String body(String... fields) {
    var lines = new ArrayList<>(List.of("POST /a HTTP/1.1", "Host: a"));
    lines.addAll(List.of(fields));
    return String.join("\r\n", lines) + "\r\n\r\n0\r\n\r\n";
  }

  private static String chunks(String body) {
    return "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformed")
  void aMalformedHeadIsAnsweredAndNothingIsForwarded(String name, String request) throws Exception {
    upstream.forget();
    try (var client = rig.connect()) {
      String all = client.sendAnyway(request + HIDDEN).rest();
      assertThat(all).as(name).startsWith("HTTP/1.1 ");
      assertThat(all.substring(9, 12)).as(all).isIn("400", "505");
      assertThat(count(all, "HTTP/1\\.1 [0-9]")).as("one answer, then closed: %s", all).isOne();
    }
    assertThat(heardBehind()).as(name).isEmpty();
  }

  /** What the upstream heard before a request that is made now. */
  private static String heardBehind() throws Exception {
    assertThat(rig.get("/after")).contains(" 200 ");
    String heard = upstream.heard();
    assertThat(count(heard, "GET /after HTTP/1\\.1\\r\\n")).as(heard).isOne();
    return heard.replaceAll("(?s)GET /after HTTP/1\\.1\\r\\n.*?\\r\\n\\r\\n", "");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformedBodies")
  @SeedRow("G11")
  void aMalformedBodyIsNeverWholeUpstream(String name, String request) throws Exception {
    upstream.forget();
    try (var client = rig.connect()) {
      String all = client.sendAnyway(request + HIDDEN).rest();
      assertThat(all).as(name).doesNotContain("smuggled");
    }
    String heard = heardBehind();
    assertThat(heard).as(name).doesNotContain("/smuggled");
    assertThat(count(heard, REQUEST_LINE.pattern())).as(heard).isLessThanOrEqualTo(1);
    assertThat(heard).as("no last chunk: %s", heard).doesNotContain("\r\n0\r\n\r\n");
  }

  /** Well-formed requests that look odd: one of each arrives, in one reading. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("odd")
  void anOddButSoundRequestArrivesOnceAndWhole(String name, String request, String arrives)
      throws Exception {
    upstream.forget();
    try (var client = rig.connect()) {
      client.send(request);
      assertThat(client.head()).as(name).contains(" 200 ");
    }
    String heard = upstream.heard();
    assertThat(count(heard, REQUEST_LINE.pattern())).as(heard).isOne();
    assertThat(heard).contains(arrives);
    assertThat(heard.toLowerCase(Locale.ROOT)).doesNotContain("smuggled: yes");
  }

  static Stream<Arguments> odd() {
    return Stream.of(
        Arguments.of(
            "absolute form", "GET http://a/x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x HTTP/1.1\r\n"),
        Arguments.of(
            "Connection names a field",
            "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Smuggled\r\nSmuggled: yes\r\n\r\n",
            "GET /x HTTP/1.1\r\n"),
        Arguments.of(
            "dot segments", "GET /a/b/../../x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x HTTP/1.1\r\n"),
        Arguments.of(
            "chunked in capitals",
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n"),
        Arguments.of(
            "chunk extension is dropped",
            chunks("5;smuggled=yes\r\nhello\r\n0\r\n\r\n"),
            "\r\n5\r\nhello\r\n"));
  }

  /** As HTTP/2, whose framing hides what would end a line on the way down to HTTP/1.1. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("downgrades")
  void nothingIsSmuggledByADowngrade(String name, List<String> fields, String body)
      throws Exception {
    upstream.forget();
    String outcome;
    try (var client = new RawHttp2(rig.port())) {
      outcome = client.ask(fields, body);
    }
    String heard = heardBehind();
    assertThat(heard).as("%s: %s", name, outcome).doesNotContain("/smuggled");
    assertThat(count(heard, "(?im)^x-injected:")).as(heard).isZero();
    assertThat(count(heard, REQUEST_LINE.pattern())).as(heard).isLessThanOrEqualTo(1);
    assertThat(outcome).as(name).isIn("400", "413", "reset", "goaway", "closed");
  }

  private static final List<String> HEAD =
      List.of(":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/x");

  static Stream<Arguments> downgrades() {
    String hidden = "0\r\n\r\n" + HIDDEN;
    return Stream.of(
        Arguments.of("transfer-encoding", with("transfer-encoding", "chunked"), hidden),
        Arguments.of("a length of 0 with a body", with("content-length", "0"), HIDDEN),
        Arguments.of("a length too short", with("content-length", "5"), hidden),
        Arguments.of("a length too long", with("content-length", "5000"), "abc"),
        Arguments.of("two lengths", with("content-length", "3", "content-length", "4"), "abc"),
        Arguments.of("CRLF in a value", with("x-a", "b\r\nx-injected: 1"), ""),
        Arguments.of("LF in a value", with("x-a", "b\nx-injected: 1"), ""),
        Arguments.of("CR in a value", with("x-a", "b\rx-injected: 1"), ""),
        Arguments.of("NUL in a value", with("x-a", "b\0c"), ""),
        Arguments.of("CRLF in a name", with("x-a: b\r\nx-injected", "1"), ""),
        Arguments.of("colon in a name", with("x-injected: 1\r\nx", "1"), ""),
        Arguments.of("space in a name", with("x a", "1"), ""),
        Arguments.of("capitals in a name", with("X-Injected", "1"), ""),
        Arguments.of("empty name", with("", "1"), ""),
        Arguments.of("connection", with("connection", "close"), ""),
        Arguments.of("keep-alive", with("keep-alive", "1"), ""),
        Arguments.of("upgrade", with("upgrade", "h2c"), ""),
        Arguments.of("te gzip", with("te", "gzip"), ""),
        Arguments.of("pseudo field behind others", with("x-a", "b", ":path", "/smuggled"), ""),
        Arguments.of("unknown pseudo field", with(":evil", "1"), ""),
        Arguments.of(
            "two codings", with("content-encoding", "identity", "content-encoding", "gzip"), "abc"),
        Arguments.of("two credentials", with("authorization", "a b", "authorization", "c d"), ""),
        Arguments.of("extended CONNECT", connect(":protocol", "websocket"), ""),
        Arguments.of("CONNECT with a path", connect(), ""),
        Arguments.of("a protocol without CONNECT", with(":protocol", "websocket"), ""),
        Arguments.of("host differs", with("host", "b"), ""),
        Arguments.of("CRLF in the path", path("/x HTTP/1.1\r\nx-injected: 1\r\nx: y"), ""),
        Arguments.of("space in the path", path("/x HTTP/1.1"), ""),
        Arguments.of("path without a slash", path("x"), ""),
        Arguments.of("empty path", path(""), ""),
        Arguments.of(
            "CRLF in the method",
            List.of(
                ":method",
                "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\nGET",
                ":scheme",
                "http",
                ":authority",
                "a",
                ":path",
                "/x"),
            ""),
        Arguments.of(
            "CRLF in the authority",
            List.of(
                ":method",
                "GET",
                ":scheme",
                "http",
                ":authority",
                "a\r\nx-injected: 1",
                ":path",
                "/x"),
            ""),
        Arguments.of("no method", List.of(":scheme", "http", ":authority", "a", ":path", "/x"), ""),
        Arguments.of(
            "no path", List.of(":method", "GET", ":scheme", "http", ":authority", "a"), ""));
  }

  private static List<String> with(String... more) {
    List<String> all = new ArrayList<>(HEAD);
    all.addAll(List.of(more));
    return all;
  }

  private static List<String> connect(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(":method", "CONNECT", ":scheme", "http", ":authority", "a", ":path", "/x"));
    all.addAll(List.of(more));
    return all;
  }

  private static List<String> path(String path) {
    return List.of(":method", "GET", ":scheme", "http", ":authority", "a", ":path", path);
  }

  @org.junit.jupiter.api.Test
  void aSoundHttp2RequestArrivesAsOneHttp1Request() throws Exception {
    upstream.forget();
    try (var client = new RawHttp2(rig.port())) {
      assertThat(client.ask(with("content-length", "3", "x-a", "b"), "abc")).isEqualTo("200");
    }
    assertThat(upstream.heard())
        .startsWith("POST /x HTTP/1.1\r\n")
        .contains("Content-Length: 3\r\n")
        .contains("x-a: b\r\n")
        .endsWith("\r\n\r\nabc");
    assertThat(count(upstream.heard(), REQUEST_LINE.pattern())).isOne();
  }

  private static int count(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    int count = 0;
    while (found.find()) {
      count++;
    }
    return count;
  }
}
