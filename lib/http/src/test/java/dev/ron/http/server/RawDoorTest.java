package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.FaultFormat;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawAsk;
import dev.ron.http.testing.RawAsk.Over;
import dev.ron.http.testing.RawAsk.Reply;
import dev.ron.http.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A raw door's one handler gets every request as it was sent, over both protocols. */
final class RawDoorTest {
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    Blocking echo =
        x -> {
          var fields = new ArrayList<String>();
          x.headers()
              .forEach(
                  (name, value) -> {
                    if (name.toLowerCase(Locale.ROOT).startsWith("x-amz-")) {
                      fields.add(name.toLowerCase(Locale.ROOT) + "=" + value);
                    }
                  });
          Headers headers = Headers.of("X-Method", x.method(), "X-Path", x.path());
          headers.add("X-Raw", x.head().rawPath()).add("X-Query", "" + x.head().query());
          headers.add("x-amz-fields", String.join("&", fields));
          return new Answer(200, headers, new Body.Bytes(x.body().collect(1 << 20)));
        };
    server =
        new TestServer(
            TestServer.loopback().with(Limits.OPEN).with(Dialect.raw(FaultFormat.PROBLEM)),
            Routes.of(Route.all("echo", echo).withCodedBody().withoutDeadline()));
  }

  @AfterAll
  static void close() {
    server.close();
  }

  static Stream<Arguments> targets() {
    return Stream.of(
            // target, path, query
            List.of("/", "/", "null"),
            List.of("//x", "//x", "null"),
            List.of("/a//b/", "/a//b/", "null"),
            List.of("/a/../b", "/a/../b", "null"),
            List.of("/../b", "/../b", "null"),
            List.of("/./b/.", "/./b/.", "null"),
            List.of("/%2e%2E/x", "/%2e%2E/x", "null"),
            List.of("/a%2Fb%2f", "/a%2Fb%2f", "null"),
            List.of("/a%00b%0a", "/a%00b%0a", "null"),
            List.of("/%ff%C0%AE", "/%ff%C0%AE", "null"),
            List.of("/%61%7E", "/%61%7E", "null"),
            List.of("/%zz%4", "/%zz%4", "null"),
            List.of("/a+b;c=d,e", "/a+b;c=d,e", "null"),
            List.of("/\"<>\\^`{|}[]", "/\"<>\\^`{|}[]", "null"),
            List.of("/healthz", "/healthz", "null"),
            List.of("/readyz", "/readyz", "null"),
            List.of("/metrics", "/metrics", "null"),
            List.of("/version", "/version", "null"),
            List.of("/openapi.json", "/openapi.json", "null"),
            List.of("/a?b&c=", "/a", "b&c="),
            List.of("/a?", "/a", ""),
            List.of("/?prefix=x/y&%00=%zz+?", "/", "prefix=x/y&%00=%zz+?"),
            List.of("/?x=/../", "/", "x=/../"))
        .flatMap(row -> Stream.of(Over.values()).map(over -> Arguments.of(over, row)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("targets")
  void aTargetArrivesAsSent(Over over, List<String> row) throws Exception {
    for (String method : List.of("GET", "PUT", "OPTIONS", "DELETE", "BREW")) {
      Reply reply = RawAsk.of(method, row.get(0)).of(server, over);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.field("X-Method")).isEqualTo(method);
      assertThat(reply.field("X-Path")).isEqualTo(row.get(1));
      assertThat(reply.field("X-Raw")).isEqualTo(row.get(1));
      assertThat(reply.field("X-Query")).isEqualTo(row.get(2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theStarOfOptionsIsTheHandlersToo(Over over) throws Exception {
    assertThat(RawAsk.of("OPTIONS", "*").of(server, over).field("X-Path")).isEqualTo("*");
  }

  @ParameterizedTest
  @EnumSource
  void literalBytesThatMustBeEscapedStayRefused(Over over) throws Exception {
    for (String target : List.of("/a b", "/\u00e9", "/a#b", "/?a#b")) {
      assertThat(RawAsk.of("GET", target).of(server, over).status()).as(target).isEqualTo(400);
    }
  }

  /** In a stream most control characters are errors of the protocol, for which the codec resets. */
  @ParameterizedTest
  @EnumSource
  void literalControlCharactersStayRefused(Over over) throws Exception {
    for (String target : List.of("/a\0b", "/a\tb", "/a\u007f", "/?\u0001")) {
      String outcome;
      try {
        outcome = "" + RawAsk.of("GET", target).of(server, over).status();
      } catch (IOException notAnswered) {
        outcome = notAnswered.getMessage();
      }
      assertThat(outcome)
          .as(target)
          .isIn("400", over == Over.HTTP_2 ? "not an answer: <reset 1>" : "400");
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HTTP_1_1")
  void ofAnAbsoluteTargetThePathIsWhatIsBehindTheHost(Over over) throws Exception {
    Reply reply = RawAsk.of("GET", "http://a/x/../%2f?q").of(server, over);
    assertThat(reply.field("X-Raw")).isEqualTo("/x/../%2f");
    assertThat(reply.field("X-Query")).isEqualTo("q");
    assertThat(RawAsk.of("GET", "http://a").of(server, over).field("X-Raw")).isEqualTo("/");
  }

  @ParameterizedTest
  @EnumSource
  void fieldsArriveInOrderAndByteForByteAndLeaveSo(Over over) throws Exception {
    String utf8 = RawAsk.utf8("gr\u00fc\u00df\u20ac\ud83d\ude00");
    Reply reply =
        RawAsk.of(
                "GET", "/", "x-amz-meta-b", utf8, "x-amz-meta-a", "caf\u00e9", "x-amz-meta-b", "2")
            .of(server, over);
    assertThat(reply.field("x-amz-fields"))
        .isEqualTo("x-amz-meta-b=" + utf8 + "&x-amz-meta-a=caf\u00e9&x-amz-meta-b=2");
  }

  @ParameterizedTest
  @EnumSource
  void aFieldThatMayComeOnceIsRefusedTwice(Over over) throws Exception {
    for (String name : List.of("authorization", "content-type", "content-encoding")) {
      assertThat(RawAsk.of("GET", "/", name, "x", name, "x").of(server, over).status())
          .as(name)
          .isEqualTo(400);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCodingIsPartOfTheBody(Over over) throws Exception {
    for (String coding : List.of("gzip", "aws-chunked", "aws-chunked,gzip", "br", "made-up")) {
      Reply reply =
          RawAsk.of("PUT", "/b/k", "content-encoding", coding)
              .with("5;chunk-signature=x\r\n\u001f\u008bxyz")
              .of(server, over);
      assertThat(reply.status()).as(coding).isEqualTo(200);
      assertThat(reply.body().getBytes(StandardCharsets.ISO_8859_1)).hasSize(26);
    }
  }

  /** Beside the raw path every other door keeps its normal one. */
  @ParameterizedTest
  @EnumSource
  void aNormalDoorKnowsTheRawPathToo(Over over) throws Exception {
    Inline echo = x -> x.answer(Answer.text(200, x.path() + " " + x.head().rawPath()));
    try (var normal = new TestServer(Routes.of().any("/{path...}", "echo", echo))) {
      assertThat(RawAsk.of("GET", "/a/../%62%2f").of(normal, over).body())
          .isEqualTo("/b%2F /a/../%62%2f");
      assertThat(RawAsk.of("GET", "/healthz").of(normal, over).body()).isEqualTo("ok\n");
      assertThat(RawAsk.of("GET", "/a%00").of(normal, over).status()).isEqualTo(400);
    }
  }
}
