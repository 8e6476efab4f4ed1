package dev.ron.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seed;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecoderTest {
  private static final byte[] HELLO = "hello hello hello".getBytes(StandardCharsets.US_ASCII);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # coding            | body                                       | plain, or the fault
          ``                  | 6869                                       | hi
          identity            | 6869                                       | hi
          identity            | ``                                         | ``
          # gzip: one member; with every optional part and the checksum of the head; two; with none
          gzip                | GZ                                         | hi
          GZIP                | GZ                                         | hi
          x-gzip              | GZ                                         | hi
          `identity, gzip,`   | GZ                                         | hi
          gzip                | 1f8b080000000000000003000000000000000000   | ``
          gzip                | 1f8b081e00000000000303006162636e006300e0ad 0300 00000000 00000000 | ``
          gzip                | GZ GZ                                      | hihi
          gzip                | ``                                         | malformed: the gzip body is cut short
          gzip                | 1f8b                                       | malformed: the gzip body is cut short
          gzip                | GZ 1f                                      | malformed: the gzip body is cut short
          gzip                | GZ 00                                      | malformed: the gzip body is followed by other bytes
          gzip                | GZ GZ 6869                                 | malformed: the gzip body is followed by other bytes
          gzip                | 1f8b070000000000000003000000000000000000   | malformed: the gzip body is damaged
          gzip                | 1f8b082000000000000003000000000000000000   | malformed: the gzip body is damaged
          gzip                | 1f8b080200000000000300000300000000000000   | malformed: the gzip body is damaged
          gzip                | 1f8b080000000000000003000000000001000000   | malformed: the gzip body is damaged
          gzip                | 1f8b080000000000000003000100000000000000   | malformed: the gzip body is damaged
          gzip                | 1f8b0800000000000000ff                     | malformed: the gzip body is damaged
          gzip                | 6869                                       | malformed: the gzip body is damaged
          # deflate: zlib and raw
          deflate             | 789ccbc804 00 013b 00d2                    | hi
          deflate             | cbc80400                                   | hi
          deflate             | 0300                                       | ``
          deflate             | 789ccbc80400013b00d3                       | malformed: the deflate body is damaged
          deflate             | 789ccbc80400013b00d200                     | malformed: the deflate body is followed by other bytes
          deflate             | cbc8040000                                 | malformed: the deflate body is followed by other bytes
          deflate             | cbc804                                     | malformed: the deflate body is cut short
          deflate             | 03                                         | malformed: the deflate body is cut short
          deflate             | 78bb 00000001                              | malformed: the deflate body is damaged
          deflate             | 07ff                                       | malformed: the deflate body is damaged
          # zstd: a raw block; two frames; a skippable frame; a run; a window of 16 MiB
          zstd                | ZS                                         | hi
          zstd                | ZS ZS                                      | hihi
          zstd                | 502a4d18 03000000 616263 ZS                | hi
          zstd                | 28b52ffd 2004 230000 61                    | aaaa
          zstd                | ``                                         | malformed: the zstd body is cut short
          zstd                | 28b52ffd                                   | malformed: the zstd body is cut short
          zstd                | ZS 28                                      | malformed: the zstd body is cut short
          zstd                | 28b52ffe 2002 110000 6869                  | malformed: the zstd body is damaged
          zstd                | ZS 6869686968                              | malformed: the zstd body is damaged
          zstd                | 28b52ffd 0070 110000 6869                  | unsupported: zstd with a window above 8388608 bytes
          zstd                | 28b52ffd 0068 110000 6869                  | hi
          # br: stored, empty, a window of 16 MiB, the large window that is no brotli
          br                  | 8b008068 6903                              | hi
          br                  | 06                                         | ``
          br                  | 3b                                         | ``
          br                  | 8b008068 69                                | malformed: the br body is cut short
          br                  | ``                                         | malformed: the br body is cut short
          br                  | 8b008068 690300                            | malformed: the br body is damaged
          br                  | 8d008068 6903                              | hi
          br                  | 8f008068 6903                              | unsupported: br with a window above 8388608 bytes
          br                  | 11008068 6903                              | malformed: the br body is damaged
          br                  | fdffffffffff                               | malformed: the br body is damaged
          # what is not a coding, and too many
          compress            | 6869                                       | unsupported: a content coding is not known
          gzip;q=1            | GZ                                         | unsupported: a content coding is not known
          gzip, gzip, gzip    | GZ                                         | unsupported: more than 2 content codings
          """)
  void bodies(String coding, String hex, String expected) {
    byte[] body = HexFormat.of().parseHex(spelled(hex));
    for (int in : new int[] {1, 3, 1000}) {
      for (int out : new int[] {1, 1000}) {
        var outcome = Bodies.decode(coding, body, DecodeLimits.capped(1000), in, out);
        String plain = new String(outcome.bytes(), StandardCharsets.UTF_8);
        assertThat(outcome.fault().isEmpty() ? plain : outcome.fault())
            .as("%d bytes in, %d bytes out", in, out)
            .isEqualTo(expected);
      }
    }
  }

  private static String spelled(String hex) {
    return hex.replace("GZ", "1f8b0800000000000003cbc80400ac2a93d802000000")
        .replace("ZS", "28b52ffd2002110000 6869")
        .replace(" ", "");
  }

  @Test
  void randomBodiesComeBackAtEveryChunking() {
    var seed = Seed.fresh();
    var random = seed.random();
    for (ContentCoding coding : Bodies.CODINGS) {
      for (int round = 0; round < 60; round++) {
        byte[] plain = mixed(random, round < 20 ? round : random.nextInt(200_000));
        byte[] body = Bodies.encoded(coding, plain);
        int in = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(20_000);
        int out = in > 1 && random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(70_000);
        var outcome = Bodies.decode(coding.token(), body, Bodies.WIDE, in, out);
        assertThat(outcome.fault()).as("%s %s", coding, seed).isEmpty();
        assertThat(Arrays.equals(outcome.bytes(), plain)).as("%s %s", coding, seed).isTrue();
      }
    }
  }

  /** Where the window is full at the last byte, a decoder is tempted to wait for one more. */
  @Test
  void aBodyOfWholeWindowsComesBack() {
    for (ContentCoding coding : Bodies.CODINGS) {
      for (int windows = 1; windows <= 4; windows++) {
        for (int more = -1; more <= 1; more++) {
          byte[] plain = new byte[windows * Bodies.BROTLI_WINDOW_BYTES + more];
          byte[] body = Bodies.encoded(coding, plain);
          for (int in : new int[] {1, 4096}) {
            var outcome = Bodies.decode(coding.token(), body, Bodies.WIDE, in, 65_536);
            assertThat(outcome.fault()).as("%s of %d", coding, plain.length).isEmpty();
            assertThat(outcome.bytes().length).as("%s", coding).isEqualTo(plain.length);
          }
        }
      }
    }
  }

  @Test
  void rawDeflateComesBack() throws IOException {
    var seed = Seed.fresh();
    byte[] plain = mixed(seed.random(), 100_000);
    var outcome = Bodies.decode("deflate", Bodies.deflate(plain, true), Bodies.WIDE, 7, 999);
    assertThat(outcome.fault()).as(seed.toString()).isEmpty();
    assertThat(outcome.bytes()).as(seed.toString()).isEqualTo(plain);
  }

  @Test
  void twoCodingsComeOffInTheOrderTheyWereNotApplied() {
    var seed = Seed.fresh();
    byte[] plain = mixed(seed.random(), 150_000);
    for (ContentCoding inner : Bodies.CODINGS) {
      for (ContentCoding outer : Bodies.CODINGS) {
        byte[] body = Bodies.encoded(outer, Bodies.encoded(inner, plain));
        String field = inner.token() + ", " + outer.token();
        for (int in : new int[] {1, 5000}) {
          var outcome = Bodies.decode(field, body, Bodies.WIDE, in, 4096);
          assertThat(outcome.fault()).as("%s %s", field, seed).isEmpty();
          assertThat(outcome.bytes()).as("%s %s", field, seed).isEqualTo(plain);
        }
        byte[] cut = Arrays.copyOf(body, body.length - 1);
        assertThat(Bodies.decode(field, cut, Bodies.WIDE, 5000, 4096).fault()).isNotEmpty();
        byte[] trailing =
            Bodies.encoded(outer, Bodies.joined(Bodies.encoded(inner, plain), new byte[1]));
        assertThat(Bodies.decode(field, trailing, Bodies.WIDE, 5000, 4096).fault())
            .startsWith("malformed: the " + inner.token());
      }
    }
  }

  /** Every buffer that a caller may come with: direct, read-only, a slice. */
  @Test
  void anyKindOfBufferWillDo() {
    for (ContentCoding coding : Bodies.CODINGS) {
      byte[] body = Bodies.encoded(coding, HELLO);
      var direct = ByteBuffer.allocateDirect(body.length).put(body).flip();
      var readOnly = ByteBuffer.wrap(body).asReadOnlyBuffer();
      for (ByteBuffer in : List.of(direct, readOnly, ByteBuffer.wrap(body).slice())) {
        for (ByteBuffer out : List.of(ByteBuffer.allocate(99), ByteBuffer.allocateDirect(99))) {
          in.rewind();
          out.position(3);
          var opening = Decoder.open(List.of(coding.token()), Bodies.WIDE);
          assertThat(opening).isInstanceOf(Decoder.Opening.Opened.class);
          if (opening instanceof Decoder.Opening.Opened(var decoder)) {
            try (decoder) {
              assertThat(decoder.step(in, true, out))
                  .isEqualTo(new DecodeStep.Produced(HELLO.length));
              assertThat(decoder.step(in, true, out)).isEqualTo(new DecodeStep.End());
            }
          }
          byte[] found = new byte[HELLO.length];
          out.get(3, found);
          assertThat(found).isEqualTo(HELLO);
        }
      }
    }
  }

  /** Where there is a checksum a flip is found; without one the bytes may differ, never explode. */
  @Test
  @SeedRow("E78")
  void aFlippedBitIsRefusedOrHarmless() {
    var seed = Seed.fresh();
    var random = seed.random();
    byte[] plain = mixed(random, 3000);
    for (ContentCoding coding : Bodies.CODINGS) {
      byte[] body = Bodies.encoded(coding, plain);
      boolean checked = coding == ContentCoding.GZIP || coding == ContentCoding.DEFLATE;
      for (int round = 0; round < 2000; round++) {
        byte[] flipped = body.clone();
        flipped[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
        var outcome =
            Bodies.decode(coding.token(), flipped, DecodeLimits.capped(100_000), 777, 4096);
        assertThat(outcome.bytes().length).as("%s %s", coding, seed).isLessThan(104_097);
        if (outcome.fault().isEmpty() && checked) {
          assertThat(outcome.bytes()).as("%s %s", coding, seed).isEqualTo(plain);
        }
      }
    }
  }

  @Test
  void aRefusalStaysAndWrongUseIsABug() {
    Decoder.Opening opening = Decoder.open(List.of("gzip"), Bodies.WIDE);
    assertThat(opening).isInstanceOf(Decoder.Opening.Opened.class);
    Decoder decoder = ((Decoder.Opening.Opened) opening).decoder();
    var out = ByteBuffer.allocate(10);
    DecodeStep refused = decoder.step(ByteBuffer.wrap(new byte[] {1}), false, out);
    assertThat(refused).isInstanceOf(DecodeStep.Refused.class);
    assertThat(decoder.step(ByteBuffer.wrap(HELLO), true, out)).isSameAs(refused);
    assertThatThrownBy(() -> decoder.step(ByteBuffer.wrap(HELLO), false, out))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> decoder.step(ByteBuffer.wrap(HELLO), true, ByteBuffer.allocate(0)))
        .isInstanceOf(IllegalStateException.class);
    decoder.close();
    decoder.close();
    assertThatThrownBy(() -> decoder.step(ByteBuffer.wrap(HELLO), true, out))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new DecodeLimits(-1, 1, 1024))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Part noise, part repetition, so that every kind of block occurs. */
  static byte[] mixed(Random random, int bytes) {
    byte[] plain = new byte[bytes];
    for (int at = 0; at < bytes; ) {
      int run = Math.min(bytes - at, 1 + random.nextInt(5000));
      if (random.nextBoolean()) {
        Arrays.fill(plain, at, at + run, (byte) random.nextInt(4));
      } else {
        byte[] noise = new byte[run];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, plain, at, run);
      }
      at += run;
    }
    return plain;
  }
}
