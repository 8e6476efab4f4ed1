package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every head has one answer, whole or split at any byte; what is doubtful is 400 and closed. */
final class RequestHeadTableTest {
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    Inline echo =
        exchange ->
            exchange
                .body()
                .collect(
                    1024,
                    body ->
                        exchange.answer(
                            new Answer(
                                200,
                                Headers.of("X-Path", exchange.head().target()),
                                new Body.Bytes(body))));
    server = new TestServer(Routes.of().any("/{rest...}", "echo", echo).any("/", "root", echo));
  }

  @AfterAll
  static void close() throws Exception {
    server.close();
  }

  private static final String GET = "GET / HTTP/1.1\nHost: a\n";
  private static final String POST = "POST / HTTP/1.1\nHost: a\n";
  private static final String CHUNKED = POST + "Transfer-Encoding: chunked\n\n";

  /** In the table a newline is CR LF; \u2193 is a bare LF and \u2190 a bare CR. */
  static Stream<Arguments> requests() {
    return Stream.of(
        // name, request, status
        row("plain", GET + "\n", 200),
        row("no space after colon", "GET / HTTP/1.1\nHost:a\n\n", 200),
        row("tabs around value", "GET / HTTP/1.1\nHost:\ta\t \n\n", 200),
        row("empty value", GET + "X:\n\n", 200),
        row("odd token name", GET + "!#$%&'*+-.^_`|~: x\n\n", 200),
        row("name in capitals", "GET / HTTP/1.1\nHOST: a\n\n", 200),
        row("latin-1 value", GET + "X: caf\u00e9\n\n", 200),
        row("unknown method", "BREW / HTTP/1.1\nHost: a\n\n", 200),
        row("absolute form", "GET http://a/x HTTP/1.1\nHost: a\n\n", 200),
        row("absolute form, no path", "GET http://a HTTP/1.1\nHost: a\n\n", 200),
        row("absolute form, other case", "GET HTTP://A/ HTTP/1.1\nHost: a\n\n", 200),
        row("host with port", "GET / HTTP/1.1\nHost: a:80\n\n", 200),
        row("host v6", "GET / HTTP/1.1\nHost: [::1]:80\n\n", 200),
        row("query marks", "GET /?a=b?c/{|} HTTP/1.1\nHost: a\n\n", 200),
        row("star", "OPTIONS * HTTP/1.1\nHost: a\n\n", 204),
        row("1.0 without host", "GET / HTTP/1.0\n\n", 200),
        row("length zero", POST + "Content-Length: 0\n\n", 200),
        row("length", POST + "Content-Length: 3\n\nabc", 200),
        row("length with zeros", POST + "Content-Length: 003\n\nabc", 200),
        row("chunked", CHUNKED + "3\nabc\n0\n\n", 200),
        row("chunked in capitals", POST + "Transfer-Encoding: CHUNKED\n\n3\nabc\n0\n\n", 200),
        row("chunk with zeros", CHUNKED + "0003\nabc\n000\n\n", 200),
        row("chunk extension", CHUNKED + "3;a=b\nabc\n0;c\n\n", 200),
        row("trailer", CHUNKED + "3\nabc\n0\nX-Sum: 1\n\n", 200),
        row("expectation", POST + "Expect: the-worst\nContent-Length: 0\n\n", 417),
        // request lines
        row("bare LF", "GET / HTTP/1.1\u2193Host: a\u2193\u2193", 400),
        row("bare LF after field", "GET / HTTP/1.1\nHost: a\u2193\n", 400),
        row("bare LF at the end", "GET / HTTP/1.1\nHost: a\n\u2193", 400),
        row("bare CR", "GET / HTTP/1.1\u2190Host: a\n\n", 400),
        row("bare CR in value", GET + "X: a\u2190b\n\n", 400),
        row("CR CR LF", "GET / HTTP/1.1\u2190\nHost: a\n\n", 400),
        row("two spaces", "GET  / HTTP/1.1\nHost: a\n\n", 400),
        row("two spaces before version", "GET /  HTTP/1.1\nHost: a\n\n", 400),
        row("tab for space", "GET\t/ HTTP/1.1\nHost: a\n\n", 400),
        row("space at the end", "GET / HTTP/1.1 \nHost: a\n\n", 400),
        row("no version", "GET /\nHost: a\n\n", 400),
        row("0.9", "GET /\n\n", 400),
        row("no target", "GET HTTP/1.1\nHost: a\n\n", 400),
        row("version in small letters", "GET / http/1.1\nHost: a\n\n", 400),
        row("version 1.01", "GET / HTTP/1.01\nHost: a\n\n", 400),
        row("version 1.2", "GET / HTTP/1.2\nHost: a\n\n", 505),
        row("version 2.0", "GET / HTTP/2.0\nHost: a\n\n", 505),
        row("version with junk", "GET / HTTP/1.1x\nHost: a\n\n", 400),
        row("method with colon", "G:T / HTTP/1.1\nHost: a\n\n", 400),
        row("empty line first", "\nGET / HTTP/1.1\nHost: a\n\n", 400),
        row("space first", " GET / HTTP/1.1\nHost: a\n\n", 400),
        row("space in target", "GET /a b HTTP/1.1\nHost: a\n\n", 400),
        row("NUL in target", "GET /\0 HTTP/1.1\nHost: a\n\n", 400),
        row("high byte in target", "GET /\u00e9 HTTP/1.1\nHost: a\n\n", 400),
        row("fragment", "GET /#a HTTP/1.1\nHost: a\n\n", 400),
        row("backslash", "GET /a\\b HTTP/1.1\nHost: a\n\n", 400),
        row("half an escape", "GET /%4 HTTP/1.1\nHost: a\n\n", 400),
        row("escaped NUL", "GET /%00 HTTP/1.1\nHost: a\n\n", 400),
        row("above the root", "GET /../x HTTP/1.1\nHost: a\n\n", 400),
        row("above the root, escaped", "GET /%2e%2E/x HTTP/1.1\nHost: a\n\n", 400),
        row("star with GET", "GET * HTTP/1.1\nHost: a\n\n", 400),
        row("no slash", "GET x HTTP/1.1\nHost: a\n\n", 400),
        row("CONNECT", "CONNECT a:443 HTTP/1.1\nHost: a:443\n\n", 400),
        row("other scheme", "GET ftp://a/ HTTP/1.1\nHost: a\n\n", 400),
        row("absolute, other host", "GET http://b/ HTTP/1.1\nHost: a\n\n", 400),
        row("absolute, other port", "GET http://a:81/ HTTP/1.1\nHost: a\n\n", 400),
        row("absolute with user", "GET http://u@a/ HTTP/1.1\nHost: a\n\n", 400),
        // host
        row("no host", "GET / HTTP/1.1\n\n", 400),
        row("two hosts", GET + "Host: a\n\n", 400),
        row("two hosts that differ", GET + "Host: b\n\n", 400),
        row("empty host", "GET / HTTP/1.1\nHost:\n\n", 400),
        row("host list", "GET / HTTP/1.1\nHost: a, b\n\n", 400),
        row("host with user", "GET / HTTP/1.1\nHost: u@a\n\n", 400),
        row("host with path", "GET / HTTP/1.1\nHost: a/b\n\n", 400),
        row("port out of range", "GET / HTTP/1.1\nHost: a:65536\n\n", 400),
        row("port not a number", "GET / HTTP/1.1\nHost: a:b\n\n", 400),
        // fields
        row("space before colon", GET + "X : a\n\n", 400),
        row("tab before colon", GET + "X\t: a\n\n", 400),
        row("obs-fold", GET + "X: a\n b\n\n", 400),
        row("obs-fold with tab", GET + "X: a\n\tb\n\n", 400),
        row("fold of the first field", "GET / HTTP/1.1\n X: a\nHost: a\n\n", 400),
        row("no colon", GET + "X\n\n", 400),
        row("empty name", GET + ": x\n\n", 400),
        row("name with space", GET + "X Y: a\n\n", 400),
        row("name with bracket", GET + "X[]: a\n\n", 400),
        row("NUL in name", GET + "X\0: a\n\n", 400),
        row("high byte in name", GET + "X\u00e9: a\n\n", 400),
        row("NUL in value", GET + "X: a\0b\n\n", 400),
        row("DEL in value", GET + "X: a\u007fb\n\n", 400),
        row("escape in value", GET + "X: a\u001bb\n\n", 400),
        // lengths
        row("length twice, same", POST + "Content-Length: 3\nContent-Length: 3\n\nabc", 400),
        row("length twice, other", POST + "Content-Length: 3\nContent-Length: 4\n\nabc", 400),
        row("length list", POST + "Content-Length: 3, 3\n\nabc", 400),
        row("length with plus", POST + "Content-Length: +3\n\nabc", 400),
        row("length negative", POST + "Content-Length: -3\n\nabc", 400),
        row("length in hex", POST + "Content-Length: 0x3\n\nabc", 400),
        row("length empty", POST + "Content-Length:\n\n", 400),
        row("length too long", POST + "Content-Length: 9999999999999999999\n\n", 400),
        row("length with a space inside", POST + "Content-Length: 3 3\n\nabc", 400),
        row("length and chunked", POST + "Content-Length: 3\nTransfer-Encoding: chunked\n\n", 400),
        row("chunked and length", POST + "Transfer-Encoding: chunked\nContent-Length: 3\n\n", 400),
        // codings
        row("gzip, chunked", POST + "Transfer-Encoding: gzip, chunked\n\n", 400),
        row("chunked twice", POST + "Transfer-Encoding: chunked, chunked\n\n", 400),
        row(
            "chunked in two fields",
            POST + "Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n",
            400),
        row("identity", POST + "Transfer-Encoding: identity\n\n", 400),
        row("xchunked", POST + "Transfer-Encoding: xchunked\n\n", 400),
        row("quoted chunked", POST + "Transfer-Encoding: \"chunked\"\n\n", 400),
        row("chunked with VT", POST + "Transfer-Encoding: \u000bchunked\n\n", 400),
        row("empty coding", POST + "Transfer-Encoding:\n\n", 400),
        row("chunked on 1.0", "POST / HTTP/1.0\nHost: a\nTransfer-Encoding: chunked\n\n", 400),
        // chunks
        row("chunk without digits", CHUNKED + "\nabc", 400),
        row("chunk in 0x", CHUNKED + "0x3\nabc\n0\n\n", 400),
        row("chunk with plus", CHUNKED + "+3\nabc\n0\n\n", 400),
        row("chunk with minus", CHUNKED + "-3\nabc\n0\n\n", 400),
        row("chunk with space first", CHUNKED + " 3\nabc\n0\n\n", 400),
        row("chunk with space after", CHUNKED + "3 \nabc\n0\n\n", 400),
        row("chunk with underscore", CHUNKED + "1_0\nabc\n0\n\n", 400),
        row("chunk too big", CHUNKED + "fffffffffffffffff\nabc\n0\n\n", 400),
        row("chunk size with bare LF", CHUNKED + "3\u2193abc\n0\n\n", 400),
        row("chunk size with bare CR", CHUNKED + "3\u2190abc\n0\n\n", 400),
        row("LF in extension", CHUNKED + "3;a\u2193b\nabc\n0\n\n", 400),
        row("NUL in extension", CHUNKED + "3;a\0\nabc\n0\n\n", 400),
        row("endless extension", CHUNKED + "3;" + "x".repeat(300), 400),
        row("chunk longer than its size", CHUNKED + "3\nabcd\n0\n\n", 400),
        row("chunk end with bare LF", CHUNKED + "3\nabc\u21930\n\n", 400),
        row("chunk shorter than its size", CHUNKED + "5\nabc\n0\n\n", 400),
        row("last chunk with junk", CHUNKED + "3\nabc\n0\n\u2190x", 400),
        row("trailer with length", CHUNKED + "3\nabc\n0\nContent-Length: 3\n\n", 400),
        row("trailer with host", CHUNKED + "3\nabc\n0\nHost: b\n\n", 400),
        row("trailer with space", CHUNKED + "3\nabc\n0\nX : 1\n\n", 400),
        row("trailer with fold", CHUNKED + "3\nabc\n0\nX: 1\n y\n\n", 400));
  }

  private static Arguments row(String name, String request, int status) {
    String wire = request.replace("\n", "\r\n").replace('\u2193', '\n').replace('\u2190', '\r');
    return Arguments.of(name, wire, status);
  }

  @ParameterizedTest(name = "{0} -> {2}")
  @MethodSource("requests")
  @SeedRow("E11")
  void hasOneAnswerWhole(String name, String request, int status) throws Exception {
    try (var client = server.connect()) {
      client.sendAnyway(request);
      check(name + " sent whole", client, status);
    }
  }

  @ParameterizedTest(name = "{0} -> {2}")
  @MethodSource("requests")
  @SeedRow("G11")
  void hasTheSameAnswerSplitAtEveryByte(String name, String request, int status) {
    IntStream.range(1, request.length())
        .parallel()
        .forEach(at -> askSplit(name, request, status, at));
  }

  private static void askSplit(String name, String request, int status, int at) {
    try (var client = server.connect()) {
      client.sendAnyway(request.substring(0, at));
      client.sendAnyway(request.substring(at));
      check(name + " split at " + at, client, status);
    } catch (Exception e) {
      throw new AssertionError(name + " split at " + at, e);
    }
  }

  /** A refused request gets exactly one answer and the end; a served one leaves room for more. */
  private static void check(String as, RawClient client, int status) throws Exception {
    String answer = client.answer();
    assertThat(answer).as(as).startsWith("HTTP/1.1 " + status + " ");
    if (status == 400 || status == 505) {
      assertThat(answer).as(as).contains("Connection: close").contains("\"code\":");
      assertThat(client.rest()).as(as + ": nothing after the answer").isIn("", "<reset>");
    }
  }
}
