package dev.ron.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Upstreams that are slow, lie or never end: each has its one answer, and nothing is kept. */
final class UpstreamTroubleTest {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n";

  /** Waits for good, as far as an edge with a timeout of 300 ms is concerned. */
  private static final FakeOrigin.Script SILENT = (_, _, _) -> new CountDownLatch(1).await();

  @TempDir private Path folder;

  /** Upstreams that fail before there is anything to pass on. */
  static Stream<Arguments> heads() {
    return Stream.of(
        trouble("never answers", SILENT, 504, "timeout"),
        trouble(
            "stalls in its head",
            (_, _, out) -> {
              out.write("HTTP/1.1 200 OK\r\nA:".getBytes(ISO_8859_1));
              out.flush();
              new CountDownLatch(1).await();
            },
            504,
            "timeout"),
        trouble("closes at once", (_, _, _) -> {}, 502, "upstream"),
        trouble("speaks no HTTP", says("SSH-2.0-x\r\n\r\n"), 502, "upstream"),
        trouble(
            "two lengths",
            says(HEAD + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
            502,
            "upstream"),
        trouble("length is no number", says(HEAD + "Content-Length: -1\r\n\r\n"), 502, "upstream"),
        trouble(
            "length and chunks",
            says(HEAD + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            502,
            "upstream"),
        trouble("304 to a plain question", says("HTTP/1.1 304 X\r\n\r\n"), 502, "etag-invalid"));
  }

  private static Arguments trouble(String name, FakeOrigin.Script script, int status, String code) {
    return Arguments.of(name, script, status, code);
  }

  private static FakeOrigin.Script says(String answer) {
    return (_, _, out) -> out.write(answer.getBytes(ISO_8859_1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  void aFillThatFailsEarlyIsOneProblem(
      String name, FakeOrigin.Script script, int status, String code) throws Exception {
    try (var origin = new FakeOrigin(script);
        Rig rig =
            Rig.before(
                folder, origin.url(), "fill.timeout=300ms", "fill.limit=2s", "fill.tries=1")) {
      HttpResponse<String> answer = rig.get("/x");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
      assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
      assertThat(rig.get("/x", "Cache-Control", "only-if-cached").statusCode())
          .as("nothing is kept")
          .isEqualTo(504);
    }
  }

  /** Upstreams whose bodies are not what their heads said. */
  static Stream<Arguments> bodies() {
    String chunked = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
    return Stream.of(
        Arguments.of("shorter than announced", says(HEAD + "Content-Length: 99\r\n\r\nhalf")),
        Arguments.of("chunks end early", says(chunked + "5\r\nhello\r\n")),
        Arguments.of("a chunk that is none", says(chunked + "5\r\nhello\r\nzz\r\n")),
        Arguments.of(
            "stalls",
            (FakeOrigin.Script)
                (_, _, out) -> {
                  out.write((HEAD + "Content-Length: 99\r\n\r\nhalf").getBytes(ISO_8859_1));
                  out.flush();
                  new CountDownLatch(1).await();
                }),
        Arguments.of(
            "drips for ever",
            (FakeOrigin.Script)
                (_, _, out) -> {
                  out.write(chunked.getBytes(ISO_8859_1));
                  while (true) {
                    out.write("1\r\nx\r\n".getBytes(ISO_8859_1));
                    out.flush();
                    new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
                  }
                }),
        Arguments.of(
            "never ends",
            (FakeOrigin.Script)
                (_, _, out) -> {
                  out.write(chunked.getBytes(ISO_8859_1));
                  byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(ISO_8859_1);
                  while (true) {
                    out.write(chunk);
                  }
                }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  @SeedRow({"E60", "E70"})
  void aFillThatFailsLateIsCutOffAndNotKept(String name, FakeOrigin.Script script)
      throws Exception {
    try (var origin = new FakeOrigin(script);
        Rig rig =
            Rig.before(
                folder,
                origin.url(),
                "fill.timeout=300ms",
                "fill.limit=2s",
                "cache.object_bytes=2MiB")) {
      assertThatThrownBy(() -> rig.get("/x"))
          .as("nothing partial looks whole")
          .isInstanceOf(IOException.class);
      rig.awaitIdle();
      assertThat(rig.get("/x", "Cache-Control", "only-if-cached").statusCode())
          .as("nothing is kept")
          .isEqualTo(504);
      assertThat(rig.metric("edge_cache_bytes")).isZero();
      assertThat(rig.metric("io_timeouts_total{op=\"fill\"}"))
          .isEqualTo(name.equals("stalls") || name.equals("drips for ever") ? 1 : 0);
    }
  }

  @Test
  @SeedRow({"E41", "E71", "E89"})
  void aBusyUpstreamIsAskedThreeTimes() throws Exception {
    FakeOrigin.Script script =
        (number, _, out) ->
            out.write(
                FakeOrigin.bytes(number < 3 ? 503 : 200, "", number < 3 ? "busy" : "at last"));
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/x").body()).isEqualTo("at last");
      assertThat(origin.requests()).isEqualTo(3);
      assertThat(rig.metric("backoff_retries_total{op=\"live_fill\"}")).isEqualTo(2);
    }
  }

  @Test
  @SeedRow({"E41", "E60", "E70"})
  void aDialThatTakesTooLongIsATimeoutAndTriedAgain() throws Exception {
    List<Socket> filling = new ArrayList<>();
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Rig rig =
            Rig.before(
                folder,
                "http://127.0.0.1:" + full.getLocalPort(),
                "fill.tries=2",
                "fill.timeout=5s")) {
      // It never accepts: when its queue is full the system drops what else knocks.
      for (int i = 0; i < 4; i++) {
        var socket = new Socket();
        filling.add(socket);
        try {
          socket.connect(full.getLocalSocketAddress(), 200);
        } catch (IOException noAnswer) {
          break;
        }
      }
      HttpResponse<String> answer = rig.get("/x");
      assertThat(answer.statusCode()).isEqualTo(504);
      assertThat(answer.body()).contains("connecting to 127.0.0.1:" + full.getLocalPort());
      assertThat(rig.metric("io_timeouts_total{op=\"connect\"}")).isEqualTo(2);
      assertThat(rig.metric("backoff_retries_total{op=\"live_fill\"}")).isEqualTo(1);
    } finally {
      for (Socket socket : filling) {
        socket.close();
      }
    }
  }

  @Test
  void aBusyAnswerThatSaysHowLongItHoldsIsTakenAsSuch() throws Exception {
    FakeOrigin.Script script =
        (_, _, out) -> out.write(FakeOrigin.bytes(503, "Retry-After: 60", "come back"));
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/x").statusCode()).isEqualTo(503);
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  @SeedRow("E16")
  void aConfirmationOfSomethingElseIsNotBelieved() throws Exception {
    FakeOrigin.Script script =
        (_, head, out) ->
            out.write(
                head.contains("If-None-Match")
                    ? FakeOrigin.bytes(304, "ETag: \"other\"", "")
                    : FakeOrigin.bytes(200, "ETag: \"v1\"|Cache-Control: max-age=0", "true"));
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/x");
      rig.awaitIdle();
      assertThat(rig.get("/x").body()).isEqualTo("true");
      assertThat(origin.requests()).as("asked, and asked again without condition").isEqualTo(3);
    }
  }

  @Test
  void aPartThatIsNotWhatItSaysIsRefused() throws Exception {
    FakeOrigin.Script script =
        (_, _, out) ->
            out.write(FakeOrigin.bytes(206, "Content-Range: bytes 0-5/10|ETag: \"a\"", "four"));
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/x", "Range", "bytes=0-5").statusCode()).isEqualTo(502);
    }
  }

  @Test
  void whenTheUpstreamIsGoneTheStoredAnswerServesUnlessForbidden() throws Exception {
    var origin =
        new FakeOrigin(
            (_, head, out) ->
                out.write(
                    FakeOrigin.bytes(
                        200,
                        head.startsWith("GET /strict")
                            ? "Cache-Control: max-age=0, must-revalidate|ETag: \"a\""
                            : "Cache-Control: max-age=0|ETag: \"a\"",
                        "old")));
    try (Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/lax");
      rig.get("/strict");
      rig.awaitIdle();
      origin.close();
      HttpResponse<String> stale = rig.get("/lax");
      assertThat(stale.statusCode() + stale.body()).isEqualTo("200old");
      assertThat(rig.get("/strict").statusCode()).isEqualTo(502);
    }
  }
}
