package dev.ron.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import dev.ron.testkit.SeedRow;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Arrays;

/**
 * Whatever bytes arrive, in whatever pieces, are read in one way or refused.
 *
 * <p>Every build replays the corpus in {@code src/test/resources/dev/ron/http/wire/
 * WireFuzzTestInputs/<method>}. To fuzz, one target for each JVM:
 *
 * <pre>
 * JAZZER_FUZZ=1 ./mvnw -Dron.fuzz.hooks=true -pl lib/http -am verify -Dtest='WireFuzzTest#chunks' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class WireFuzzTest {
  private static final HeadParser PARSER = new HeadParser(100);

  /** Where the pieces end must not matter: two readers that differ there can be played apart. */
  @FuzzTest(maxDuration = "2m")
  @SeedRow({"E79", "G75"})
  void chunks(FuzzedDataProvider data) {
    int cut = data.consumeInt(0, 64);
    byte[] bytes = data.consumeRemainingAsBytes();
    String whole = read(bytes, bytes.length);
    assertThat(read(bytes, Math.min(cut, bytes.length))).isEqualTo(whole);
    assertThat(read(bytes, 0)).as("byte by byte").isEqualTo(whole);
  }

  /** What is accepted has a normal path, a known method's characters and no control characters. */
  @FuzzTest(maxDuration = "2m")
  @SeedRow("G75")
  void heads(FuzzedDataProvider data) {
    byte[] bytes = data.consumeRemainingAsBytes();
    RequestHead head;
    try {
      // As a connection does: the parser sees only what the scanner found the end of.
      int length = new HeadScanner(16 * 1024).scan(Unpooled.wrappedBuffer(bytes));
      if (length == 0) {
        return;
      }
      head = PARSER.parse(bytes, length);
    } catch (Refusal refused) {
      assertThat(refused.status()).isBetween(400, 505);
      return;
    }
    isSound(head);
  }

  /**
   * A header block of HTTP/2, from its compressed bytes. The codec's own checks are left out, so
   * that ours stand alone.
   */
  @FuzzTest(maxDuration = "2m")
  @SeedRow("G75")
  void blocks(FuzzedDataProvider data) {
    boolean ended = data.consumeBoolean();
    ByteBuf block = Unpooled.wrappedBuffer(data.consumeRemainingAsBytes());
    RequestHead head;
    try {
      Http2Headers fields =
          new DefaultHttp2HeadersDecoder(false, 16 * 1024).decodeHeaders(1, block);
      head = Http2Heads.parse(fields, ended, 100, PathForm.NORMAL);
    } catch (Refusal refused) {
      assertThat(refused.status()).isBetween(400, 505);
      return;
    } catch (Http2Exception broken) {
      return; // no block at all: the connection ends
    } finally {
      block.release();
    }
    isSound(head);
    assertThat(head.headers().count("host")).isEqualTo(1);
  }

  private static void isSound(RequestHead head) {
    assertThat(head.path()).matches("\\*|/[\\x21-\\x7e]*");
    assertThat(head.path()).doesNotContain("/../", "/./", "\\");
    assertThat(head.method()).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    head.headers()
        .forEach(
            (name, value) -> {
              assertThat(name).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
              assertThat(value.chars()).noneMatch(c -> c == '\r' || c == '\n' || c == 0);
            });
  }

  /** Feeds one byte at a time if {@code first} is 0, else that many and then the rest. */
  private static String read(byte[] bytes, int first) {
    var body = new ChunkedBody(PARSER);
    var out = new StringBuilder();
    ByteBuf in = Unpooled.buffer();
    try {
      int at = 0;
      while (at < bytes.length && !body.done()) {
        int piece = first == 0 ? 1 : at == 0 ? first : bytes.length - at;
        in.writeBytes(Arrays.copyOfRange(bytes, at, at + piece));
        at += piece;
        for (ByteBuf data = body.next(in, 8); data != null; data = body.next(in, 8)) {
          out.append(data.toString(ISO_8859_1));
          data.release();
        }
      }
      return out + (body.done() ? " done" : " open");
    } catch (Refusal refused) {
      return out + " refused";
    } finally {
      in.release();
    }
  }
}
