package dev.ron.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole edge before an upstream: what is kept, confirmed, combined, invalidated. */
@Timeout(60)
final class LiveTest {
  private static final String FRESH = "Cache-Control: max-age=600|ETag: \"v1\"";

  @TempDir private Path folder;

  @Test
  @SeedRow({"E83", "E96"})
  void aMissIsFilledAndThenHit() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH + "|A: 1", "hello");
        Rig rig = Rig.before(folder, origin.url())) {
      HttpResponse<String> miss = rig.get("/x?q=1&cap=secret");
      assertThat(miss.statusCode() + miss.body()).isEqualTo("200hello");
      assertThat(status(miss)).isEqualTo("ron-edge; fwd=uri-miss; fwd-status=200; stored");
      rig.awaitIdle();
      HttpResponse<String> hit = rig.get("/x?cap=other&q=1");
      assertThat(hit.body()).isEqualTo("hello");
      assertThat(status(hit)).startsWith("ron-edge; hit; ttl=");
      assertThat(hit.headers().firstValue("Age")).isPresent();
      assertThat(hit.headers().firstValue("A")).hasValue("1");
      assertThat(hit.headers().firstValue("ETag")).hasValue("\"v1\"");
      assertThat(origin.requests()).isEqualTo(1);
      assertThat(origin.heads.getFirst())
          .startsWith("GET /x?q=1 HTTP/1.1\r\n")
          .contains("Via: 1.1 ron-edge")
          .doesNotContain("secret");
      assertThat(rig.metric("edge_cache_hits_total")).isEqualTo(1);
      assertThat(rig.metric("edge_cache_misses_total")).isEqualTo(1);
    }
  }

  @Test
  void conditionsAndRangesAreAnsweredFromTheStore() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH, "0123456789");
        Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/x");
      rig.awaitIdle();
      assertThat(rig.get("/x", "If-None-Match", "\"v1\"").statusCode()).isEqualTo(304);
      HttpResponse<String> part = rig.get("/x", "Range", "bytes=2-4");
      assertThat(part.statusCode() + part.body()).isEqualTo("206234");
      assertThat(part.headers().firstValue("Content-Range")).hasValue("bytes 2-4/10");
      assertThat(rig.get("/x", "Range", "bytes=2-4", "If-Range", "\"v2\"").statusCode())
          .isEqualTo(200);
      HttpResponse<String> beyond = rig.get("/x", "Range", "bytes=10-");
      assertThat(beyond.statusCode()).isEqualTo(416);
      assertThat(beyond.headers().firstValue("Content-Range")).hasValue("bytes */10");
      assertThat(rig.get("/x", "Range", "bytes=0-1,4-5").statusCode()).isEqualTo(416);
      HttpResponse<String> head = rig.send("HEAD", "/x");
      assertThat(head.headers().firstValue("Content-Length")).hasValue("10");
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  @SeedRow("E46")
  void aWarmHitIsAnsweredWithinFortyMillisAtP95() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH, "x".repeat(64 << 10));
        Rig rig = Rig.before(folder, origin.url());
        var client = new RawClient(rig.wired.door().port())) {
      rig.get("/x");
      rig.awaitIdle();
      long[] nanos = new long[400];
      for (int i = 0; i < nanos.length; i++) {
        // Every other one asks for a part, because 206 has the same promise.
        String range = i % 2 == 0 ? "" : "Range: bytes=100-199\r\n";
        long begun = System.nanoTime();
        String answer =
            client.send("GET /x HTTP/1.1\r\nHost: localhost\r\n" + range + "\r\n").answer();
        nanos[i] = System.nanoTime() - begun;
        assertThat(answer).startsWith(i % 2 == 0 ? "HTTP/1.1 200 " : "HTTP/1.1 206 ");
      }
      Arrays.sort(nanos);
      assertThat(Duration.ofNanos(nanos[nanos.length * 95 / 100]))
          .isLessThan(Duration.ofMillis(40));
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  void severalRangesComeInOneBodyWhereThatIsEnabled() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH + "|Content-Type: text/x", "0123456789");
        Rig rig = Rig.before(folder, origin.url(), "http.multi_range=true")) {
      rig.get("/x");
      rig.awaitIdle();
      HttpResponse<String> parts = rig.get("/x", "Range", "bytes=0-1,-3");
      assertThat(parts.statusCode()).isEqualTo(206);
      String boundary =
          parts.headers().firstValue("Content-Type").orElseThrow().split("boundary=", 2)[1];
      assertThat(parts.body())
          .isEqualTo(
              ("\r\n--B\r\nContent-Type: text/x\r\nContent-Range: bytes 0-1/10\r\n\r\n01"
                      + "\r\n--B\r\nContent-Type: text/x\r\nContent-Range: bytes 7-9/10\r\n\r\n789"
                      + "\r\n--B--\r\n")
                  .replace("--B", "--" + boundary));
    }
  }

  @Test
  @SeedRow({"E58", "E97"})
  void bytesWithoutAValidatorGetTheirAddress() throws Exception {
    try (var origin = FakeOrigin.answering("Cache-Control: max-age=600", "hello");
        Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/x");
      rig.awaitIdle();
      String tag = rig.get("/x").headers().firstValue("ETag").orElseThrow();
      assertThat(tag).matches("\"b3:[0-9a-f]{64}\"");
      assertThat(rig.get("/x", "If-None-Match", tag).statusCode()).isEqualTo(304);
    }
  }

  @Test
  void aStaleAnswerIsConfirmedAndFreshened() throws Exception {
    FakeOrigin.Script script =
        (number, head, out) ->
            out.write(
                head.contains("If-None-Match: \"v1\"")
                    ? FakeOrigin.bytes(304, "ETag: \"v1\"|Cache-Control: max-age=600|A: 2", "")
                    : FakeOrigin.bytes(200, "ETag: \"v1\"|Cache-Control: max-age=0|A: 1", "hello"));
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/x");
      rig.awaitIdle();
      HttpResponse<String> confirmed = rig.get("/x");
      assertThat(confirmed.statusCode() + confirmed.body()).isEqualTo("200hello");
      assertThat(confirmed.headers().firstValue("A")).hasValue("2");
      assertThat(status(confirmed)).isEqualTo("ron-edge; fwd=stale; fwd-status=304; stored");
      rig.awaitIdle();
      assertThat(status(rig.get("/x"))).startsWith("ron-edge; hit");
      assertThat(origin.requests()).isEqualTo(2);
    }
  }

  @Test
  void partsAreKeptAndCompleted() throws Exception {
    FakeOrigin.Script script =
        (number, head, out) -> {
          String range = head.lines().filter(l -> l.startsWith("Range: ")).findFirst().orElse("");
          switch (range) {
            case "Range: bytes=2-5" ->
                out.write(FakeOrigin.bytes(206, FRESH + "|Content-Range: bytes 2-5/10", "2345"));
            case "Range: bytes=6-" ->
                out.write(FakeOrigin.bytes(206, FRESH + "|Content-Range: bytes 6-9/10", "6789"));
            case "Range: bytes=0-1" ->
                out.write(FakeOrigin.bytes(206, FRESH + "|Content-Range: bytes 0-1/10", "01"));
            default -> out.write(FakeOrigin.bytes(200, FRESH, "0123456789"));
          }
        };
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/x", "Range", "bytes=2-5").body()).isEqualTo("2345");
      rig.awaitIdle();
      assertThat(status(rig.get("/x", "Range", "bytes=3-4"))).startsWith("ron-edge; hit");
      HttpResponse<String> rest = rig.get("/x", "Range", "bytes=4-9");
      assertThat(rest.statusCode() + rest.body()).isEqualTo("206456789");
      assertThat(status(rest)).isEqualTo("ron-edge; fwd=partial; fwd-status=206; stored");
      assertThat(rig.get("/x").body()).isEqualTo("0123456789");
      assertThat(origin.heads.getLast()).contains("Range: bytes=0-1").contains("If-Range: \"v1\"");
      rig.awaitIdle();
      HttpResponse<String> whole = rig.get("/x");
      assertThat(status(whole) + whole.body()).startsWith("ron-edge; hit").endsWith("0123456789");
      assertThat(origin.requests()).isEqualTo(3);
    }
  }

  @Test
  void aPartOfSomethingThatChangedIsAskedForWhole() throws Exception {
    FakeOrigin.Script script =
        (number, head, out) ->
            out.write(
                number == 1
                    ? FakeOrigin.bytes(206, FRESH + "|Content-Range: bytes 2-5/10", "2345")
                    : head.contains("Range:")
                        ? FakeOrigin.bytes(206, "ETag: \"v2\"|Content-Range: bytes 0-1/10", "ab")
                        : FakeOrigin.bytes(
                            200, "ETag: \"v2\"|Cache-Control: max-age=60", "abcdefghij"));
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/x", "Range", "bytes=2-5");
      rig.awaitIdle();
      assertThat(rig.get("/x").body()).isEqualTo("abcdefghij");
    }
  }

  /** Else one client's impossible range or condition would be everybody's error. */
  @Test
  void anErrorThatOneClientAskedForIsNotKept() throws Exception {
    try (var origin =
            new FakeOrigin(
                (_, head, out) ->
                    out.write(
                        FakeOrigin.bytes(
                            head.contains("Range:") ? 416 : head.contains("If-Match:") ? 412 : 200,
                            "Cache-Control: public, max-age=60",
                            "x")));
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/a", "Range", "bytes=999-").statusCode()).isEqualTo(416);
      rig.awaitIdle();
      assertThat(rig.get("/a", "If-Match", "\"x\"").statusCode()).isEqualTo(412);
      rig.awaitIdle();
      assertThat(rig.get("/a").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anUnsafeRequestMakesTheAnswerWorthlessForGood() throws Exception {
    FakeOrigin.Script script =
        (number, _, out) -> out.write(FakeOrigin.bytes(200, FRESH, "answer " + number));
    try (var origin = new FakeOrigin(script)) {
      try (Rig rig = Rig.before(folder, origin.url())) {
        rig.get("/x");
        rig.awaitIdle();
        assertThat(rig.get("/x").body()).isEqualTo("answer 1");
        assertThat(rig.send("POST", "/x").body()).isEqualTo("answer 2");
      }
      try (Rig again = Rig.before(folder, origin.url())) {
        assertThat(again.get("/x").body()).isEqualTo("answer 3");
      }
    }
  }

  /** One that others may have, but that is asked for with the credentials of one client. */
  @Test
  void anAnswerOnItsWayToOneClientIsNotKeptOverAnUnsafeRequest() throws Exception {
    var asked = new CountDownLatch(1);
    var changed = new CountDownLatch(1);
    FakeOrigin.Script script =
        (number, _, out) -> {
          if (number == 1) {
            asked.countDown();
            changed.await();
          }
          out.write(FakeOrigin.bytes(200, "Cache-Control: public, max-age=600", "no. " + number));
        };
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url());
        var client = new RawClient(rig.wired.door().port())) {
      client.send("GET /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic eDp5\r\n\r\n");
      asked.await();
      assertThat(rig.send("DELETE", "/x").body()).isEqualTo("no. 2");
      changed.countDown();
      assertThat(client.answer()).endsWith("no. 1");
      rig.awaitIdle();
      assertThat(rig.get("/x").body()).isEqualTo("no. 3");
    }
  }

  /** RFC 5861, 4: else the request would end in 504, above all one by way of a gateway. */
  @Test
  void aStaleAnswerServesBeforeTheDeadlineWhereTheUpstreamIsSilent() throws Exception {
    var over = new CountDownLatch(1);
    FakeOrigin.Script script =
        (number, _, out) -> {
          if (number > 1) {
            over.await();
          }
          String fields = "ETag: \"a\"|Cache-Control: max-age=0, stale-if-error=600";
          out.write(FakeOrigin.bytes(200, fields, "old"));
        };
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.before(folder, origin.url())) {
      rig.get("/x");
      rig.awaitIdle();
      HttpResponse<String> stale = rig.get("/x", "Request-Timeout", "1000ms");
      assertThat(stale.statusCode() + stale.body()).isEqualTo("200old");
      assertThat(status(stale)).contains("stale-if-error");
      over.countDown();
    }
  }

  /** RFC 9110, 8.6: a length that GET would not have is worse than none. */
  @Test
  void aHeadIsToldNoLengthThatTheUpstreamDidNotTell() throws Exception {
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    try (var origin = new FakeOrigin((_, _, out) -> out.write(head.getBytes(US_ASCII)));
        Rig rig = Rig.before(folder, origin.url());
        var client = new RawClient(rig.wired.door().port())) {
      client.send("HEAD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.head()).startsWith("HTTP/1.1 200 ").doesNotContain("Content-Length");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void aRestartKeepsTheCache() throws Exception {
    List<String> chosenByFoo = List.of("request_fields = [\"Foo\"]");
    try (var origin = FakeOrigin.answering(FRESH + "|Vary: Foo", "kept")) {
      try (Rig rig = Rig.before(folder, origin.url(), chosenByFoo)) {
        rig.get("/x", "Foo", "1");
        rig.get("/y");
        rig.awaitIdle();
      }
      try (Rig again = Rig.before(folder, origin.url(), chosenByFoo)) {
        assertThat(status(again.get("/x", "Foo", "1"))).startsWith("ron-edge; hit");
        assertThat(again.get("/x", "Foo", "1").body()).isEqualTo("kept");
        assertThat(status(again.get("/y"))).startsWith("ron-edge; hit");
        assertThat(status(again.get("/x", "Foo", "2"))).startsWith("ron-edge; fwd=vary-miss");
      }
      assertThat(origin.requests()).isEqualTo(3);
    }
  }

  @Test
  void amnesiaKeepsNothingOnDiskAndMayRefuse() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH, "kept")) {
      Path data = folder.resolve("data");
      try (Rig rig = Rig.before(data, origin.url(), "amnesia=true")) {
        rig.get("/x");
        rig.awaitIdle();
        assertThat(status(rig.get("/x"))).startsWith("ron-edge; hit");
      }
      assertThat(data).doesNotExist();
      try (Rig rig = Rig.before(data, origin.url(), "amnesia=true", "fill.under_amnesia=refuse")) {
        assertThat(rig.get("/x").statusCode()).isEqualTo(503);
        assertThat(rig.metric("edge_rejects_total{reason=\"amnesia\"}")).isEqualTo(1);
      }
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  @SeedRow("E21")
  void offlineNothingIsAskedAndStoredAnswersServe() throws Exception {
    try (var origin = FakeOrigin.answering("Cache-Control: max-age=0|ETag: \"a\"", "old")) {
      try (Rig rig = Rig.before(folder, origin.url())) {
        rig.get("/x");
        rig.awaitIdle();
      }
      try (Rig rig = Rig.before(folder, origin.url(), "mode=offline")) {
        HttpResponse<String> stale = rig.get("/x");
        assertThat(stale.statusCode() + stale.body()).isEqualTo("200old");
        assertThat(status(stale)).endsWith("detail=\"4.2.4: disconnected\"");
        assertThat(rig.get("/y").statusCode()).isEqualTo(504);
        assertThat(rig.send("POST", "/x").statusCode()).isEqualTo(504);
      }
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  void whoPrefersItDoesNotWait() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH, "later");
        Rig rig = Rig.before(folder, origin.url())) {
      HttpResponse<String> accepted = rig.get("/x", "Prefer", "respond-async, wait=1");
      assertThat(accepted.statusCode()).isEqualTo(202);
      assertThat(accepted.headers().firstValue("Preference-Applied")).hasValue("respond-async");
      rig.awaitIdle();
      assertThat(status(rig.get("/x"))).startsWith("ron-edge; hit");
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  void theCacheStaysWithinItsBounds() throws Exception {
    String body = "x".repeat(100_000);
    try (var origin = FakeOrigin.answering(FRESH, body);
        Rig rig =
            Rig.before(folder, origin.url(), "cache.bytes=1MiB", "cache.object_bytes=200KiB")) {
      for (int i = 0; i < 40; i++) {
        assertThat(rig.get("/" + i).body()).hasSize(100_000);
      }
      rig.awaitIdle();
      assertThat(rig.metric("edge_cache_bytes")).isBetween(1.0, 1024.0 * 1024);
    }
  }

  @Test
  void whatIsNotListedIsRefused() throws Exception {
    try (var origin = FakeOrigin.answering(FRESH, "x");
        Rig rig = Rig.before(folder, origin.url())) {
      HttpResponse<String> refused = rig.send("PATCH", "/x");
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("Allow").orElseThrow())
          .isEqualTo("DELETE, GET, HEAD, OPTIONS, POST, PUT");
      assertThat(rig.get("/x", "Cache-Control", "only-if-cached").statusCode()).isEqualTo(504);
      assertThat(origin.requests()).isZero();
    }
  }

  private static String status(HttpResponse<?> answer) {
    return answer.headers().firstValue("Cache-Status").orElse("none");
  }
}
