package dev.ron.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ByteRangesTest {
  private static final byte[] BYTES = "0123456789".getBytes(US_ASCII);
  private static final ByteRanges RANGES = new ByteRanges("ron-b", BYTES.length);
  private static final List<ByteRange> TWO = List.of(new ByteRange(0, 1), new ByteRange(8, 9));

  @Test
  void oneRangeIsAHeader() {
    Headers headers = RANGES.single(Headers.of("Content-Type", "text/plain"), TWO.get(1));
    assertThat(headers.first("Content-Range")).isEqualTo("bytes 8-9/10");
    assertThat(headers.first("Content-Type")).isEqualTo("text/plain");
  }

  @Test
  void severalAreOneBodyOfTheLengthItHas() throws Exception {
    assertThat(several(Headers.of("Content-Type", "text/plain")))
        .isEqualTo(
            """
            \r
            --ron-b\r
            Content-Type: text/plain\r
            Content-Range: bytes 0-1/10\r
            \r
            01\r
            --ron-b\r
            Content-Type: text/plain\r
            Content-Range: bytes 8-9/10\r
            \r
            89\r
            --ron-b--\r
            """);
    assertThat(several(new Headers(1))).doesNotContain("Content-Type");
  }

  private static String several(Headers headers) throws Exception {
    Blocking handler =
        _ ->
            RANGES.several(
                headers.copy(),
                TWO,
                (range, sink) -> sink.write(BYTES, (int) range.first(), (int) range.bytes()));
    try (var server = new TestServer(Routes.of().get("/r", "r", handler))) {
      String answer = server.ask("GET /r HTTP/1.1\r\nHost: a\r\n\r\n");
      int end = answer.indexOf("\r\n\r\n");
      String body = answer.substring(end + 4);
      assertThat(answer.substring(0, end))
          .startsWith("HTTP/1.1 206 ")
          .containsOnlyOnce("Content-Type: multipart/byteranges; boundary=ron-b")
          .contains("Content-Length: " + body.length());
      return body;
    }
  }
}
