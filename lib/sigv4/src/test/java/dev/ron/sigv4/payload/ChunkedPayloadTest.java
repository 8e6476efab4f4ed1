package dev.ron.sigv4.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.sigv4.CredentialScope;
import dev.ron.sigv4.DerivedKey;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignatureFault;
import dev.ron.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkedPayloadTest {
  private static final ChunkSignatures.Seed SEED =
      new ChunkSignatures.Seed(
          DerivedKey.of("secret", new CredentialScope("20261115", "r", "s3")),
          "20261115T100000Z",
          "ab".repeat(32));
  private static final Map<String, String> CRC = Map.of("x-amz-checksum-crc32", "AAAAAA==");
  private static final PayloadMode SIGNED = new PayloadMode.SignedChunks(false);
  private static final PayloadMode SIGNED_TRAILER = new PayloadMode.SignedChunks(true);
  private static final PayloadMode UNSIGNED = new PayloadMode.UnsignedChunks();

  private static ChunkedPayload payload(PayloadMode mode, long length) {
    return new ChunkedPayload(mode, SEED, length, mode.equals(SIGNED) ? Set.of() : CRC.keySet());
  }

  private static byte[] written(PayloadMode mode, byte[] body, int chunkBytes) {
    return ChunkedBodies.write(
        body, chunkBytes, mode.equals(UNSIGNED) ? null : SEED, mode.equals(SIGNED) ? null : CRC);
  }

  private static byte[] read(byte[] wire, ChunkedPayload payload) throws IOException {
    return new ChunkedPayloadStream(new ByteArrayInputStream(wire), payload).readAllBytes();
  }

  private static SignatureFault refused(byte[] wire, ChunkedPayload payload) {
    try {
      byte[] body = read(wire, payload);
      throw new AssertionError("passed with " + body.length + " bytes");
    } catch (PayloadFailure failure) {
      return failure.fault();
    } catch (IOException other) {
      throw new AssertionError(other);
    }
  }

  private static SignatureFault refused(String wire, ChunkedPayload payload) {
    return refused(wire.getBytes(US_ASCII), payload);
  }

  @Test
  void everyModeComesOutAsItWentIn() {
    Seeds.forEach(
        60,
        (_, random) -> {
          var body = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(60_000)];
          random.nextBytes(body);
          for (PayloadMode mode : List.of(SIGNED, SIGNED_TRAILER, UNSIGNED)) {
            byte[] wire = written(mode, body, 1 + random.nextInt(20_000));
            ChunkedPayload payload = payload(mode, body.length);
            var stream = new ChunkedPayloadStream(crumbs(wire, random), payload);
            var read = stream.readAllBytes();
            assertThat(Arrays.equals(read, body)).as("the same bytes").isTrue();
            assertThat(stream.trailers()).isEqualTo(mode.equals(SIGNED) ? Map.of() : CRC);
            assertThat(stream.read()).as("it stays at its end").isEqualTo(-1);
          }
        });
  }

  /** One flipped bit anywhere: the bytes, the sizes, the signatures, the trailer, the line ends. */
  @Test
  void noByteOfASignedBodyCanBeChanged() {
    var body = "The quick brown fox jumps over the lazy dog".getBytes(US_ASCII);
    for (PayloadMode mode : List.of(SIGNED, SIGNED_TRAILER)) {
      byte[] wire = written(mode, body, 20);
      for (int at = 0; at < wire.length; at++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] changed = wire.clone();
          changed[at] ^= (byte) (1 << bit);
          // Capital hex and names mean the same, and so does white space after a field's value.
          boolean sameText =
              new String(wire, ISO_8859_1).equalsIgnoreCase(new String(changed, ISO_8859_1))
                  && !isSignature(wire, at)
                  && !isBody(wire, at, body);
          boolean blank = changed[at] == '\t' && wire[at] == '\r' && wire[at - 1] == '=';
          boolean sameMeaning = sameText || blank;
          try {
            assertThat(read(changed, payload(mode, body.length))).isEqualTo(body);
            assertThat(sameMeaning).as("%s, byte %d, bit %d", mode, at, bit).isTrue();
          } catch (IOException refused) {
            assertThat(refused).isInstanceOf(PayloadFailure.class);
          }
        }
      }
    }
  }

  @Test
  void aBodyCutOffAnywhereIsRefused() {
    var body = "0123456789".getBytes(US_ASCII);
    for (PayloadMode mode : List.of(SIGNED, SIGNED_TRAILER, UNSIGNED)) {
      byte[] wire = written(mode, body, 4);
      for (int length = 0; length < wire.length; length++) {
        refused(Arrays.copyOf(wire, length), payload(mode, body.length));
      }
      byte[] longer = Arrays.copyOf(wire, wire.length + 1);
      assertThat(refused(longer, payload(mode, body.length)))
          .isInstanceOf(SignatureFault.MalformedChunk.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 11, 1_000_000})
  void theAnnouncedLengthIsMetExactly(long announced) {
    for (PayloadMode mode : List.of(SIGNED, SIGNED_TRAILER, UNSIGNED)) {
      assertThat(refused(written(mode, new byte[10], 4), payload(mode, announced)))
          .isInstanceOf(SignatureFault.IncompleteBody.class);
    }
  }

  /** A chunk left out, twice, or moved breaks the chain, the empty one at the end included. */
  @Test
  void theChainOfChunksIsWhole() {
    String wire = new String(written(SIGNED, "aaaabbbbcccc".getBytes(US_ASCII), 4), US_ASCII);
    String[] chunks = wire.split("(?<=(aaaa|bbbb|cccc)\r\n)");
    assertThat(chunks).hasSize(4);
    String last = "0;chunk-signature=" + "0".repeat(64) + "\r\n\r\n";
    for (String forged :
        List.of(
            chunks[0] + chunks[2] + chunks[1] + chunks[3],
            chunks[0] + chunks[0] + chunks[2] + chunks[3],
            chunks[0] + chunks[1] + chunks[2] + last)) {
      assertThat(refused(forged, payload(SIGNED, 12)))
          .isInstanceOf(SignatureFault.ChunkMismatch.class);
    }
    assertThat(refused(chunks[0] + chunks[1] + chunks[3], payload(SIGNED, 8)))
        .isInstanceOf(SignatureFault.ChunkMismatch.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3_abc_0_x-amz-checksum-crc32:A__              | ok
          3_abc_0_X-Amz-Checksum-CRC32: A __            | ok
          0003_abc_000_x-amz-checksum-crc32:A__         | ok
          3_abc_0_x-amz-checksum-crc32:A^__             | IncompleteBody
          3_abc_0_x-amz-checksum-crc32:A^___            | ok
          3_abc_0__                                     | MalformedTrailerError
          3_abc_0_x-amz-checksum-sha1:A__               | MalformedTrailerError
          3_abc_0_x-amz-checksum-crc32:A_x-amz-acl:p__  | MalformedTrailerError
          3_abc_0_x-amz-checksum-crc32:A_x-amz-checksum-crc32:B__ | MalformedTrailerError
          3_abc_0_x-amz-checksum-crc32__                | MalformedTrailerError
          3_abc_0_:A__                                  | MalformedTrailerError
          3_abc_0_x-amz-checksum-crc32:A_x-amz-trailer-signature:0__ | MalformedTrailerError
          3;a=b_abc_0_x-amz-checksum-crc32:A__          | InvalidRequest
          3 _abc_0_x-amz-checksum-crc32:A__             | InvalidRequest
          +3_abc_0_x-amz-checksum-crc32:A__             | InvalidRequest
          0x3_abc_0_x-amz-checksum-crc32:A__            | InvalidRequest
          _abc_0_x-amz-checksum-crc32:A__               | InvalidRequest
          3_abcd_0_x-amz-checksum-crc32:A__             | InvalidRequest
          ffffffffffffffff_abc_0_x-amz-checksum-crc32:A__ | InvalidRequest
          fffffffffffffff_abc_0_x-amz-checksum-crc32:A__  | IncompleteBody
          4_abcd_0_x-amz-checksum-crc32:A__             | IncompleteBody
          2_ab_0_x-amz-checksum-crc32:A__               | IncompleteBody
          3_abc_0_x-amz-checksum-crc32:A__x             | InvalidRequest
          """)
  void unsignedChunksAreReadStrictly(String script, String expected) throws IOException {
    // The published form ends a field with a bare line feed before the CR LF.
    String wire = script.replace("^__", "\n\r\n").replace("_", "\r\n");
    if (expected.equals("ok")) {
      assertThat(read(wire.getBytes(US_ASCII), payload(UNSIGNED, 3)))
          .isEqualTo("abc".getBytes(US_ASCII));
    } else {
      assertThat(refused(wire, payload(UNSIGNED, 3)).code()).isEqualTo(expected);
    }
  }

  @Test
  void theFormOfTheTrailerThatIsPublishedIsReadToo() throws IOException {
    String wire = "3\r\nabc\r\n0\r\nx-amz-checksum-crc32:A\n\r\n\r\n";
    assertThat(read(wire.getBytes(US_ASCII), payload(UNSIGNED, 3))).hasSize(3);
    String signed = new String(written(SIGNED_TRAILER, new byte[0], 1), US_ASCII);
    byte[] published = signed.replace("==\r\n", "==\n\r\n").getBytes(US_ASCII);
    assertThat(read(published, payload(SIGNED_TRAILER, 0))).isEmpty();
  }

  @Test
  void aTrailerWithoutItsSignatureIsRefused() {
    String wire = new String(written(SIGNED_TRAILER, new byte[0], 1), US_ASCII);
    assertThat(
            refused(
                wire.replaceFirst("x-amz-trailer-signature:.*\r\n", ""),
                payload(SIGNED_TRAILER, 0)))
        .isInstanceOf(SignatureFault.MalformedTrailer.class);
    assertThat(refused(wire.replace("AAAAAA==", "AAAAAB=="), payload(SIGNED_TRAILER, 0)))
        .isInstanceOf(SignatureFault.ChunkMismatch.class);
  }

  @Test
  void aLineBetweenChunksHasALimit() {
    assertThat(refused("1".repeat(5_000), payload(UNSIGNED, 3)))
        .isInstanceOf(SignatureFault.MalformedChunk.class);
    assertThat(refused("0\r\n" + "x".repeat(5_000), payload(UNSIGNED, 0)))
        .isInstanceOf(SignatureFault.MalformedChunk.class);
  }

  @Test
  void aFaultStays() {
    ChunkedPayload payload = payload(UNSIGNED, 3);
    var plain = java.nio.ByteBuffer.allocate(10);
    var first = payload.decode(java.nio.ByteBuffer.wrap("zz\r\n".getBytes(US_ASCII)), plain);
    assertThat(first).isPresent();
    assertThat(payload.decode(java.nio.ByteBuffer.wrap(written(UNSIGNED, new byte[3], 3)), plain))
        .isEqualTo(first);
    assertThat(payload.end()).isEqualTo(first);
    assertThat(payload.done()).isFalse();
    assertThatThrownBy(payload::trailers).isInstanceOf(IllegalStateException.class);
  }

  private static boolean isSignature(byte[] wire, int at) {
    String before = new String(wire, 0, at, ISO_8859_1);
    int start = Math.max(before.lastIndexOf("signature="), before.lastIndexOf("signature:"));
    return start >= 0 && at - (start + 10) < 64;
  }

  private static boolean isBody(byte[] wire, int at, byte[] body) {
    String text = new String(wire, ISO_8859_1);
    String whole = new String(body, ISO_8859_1);
    for (int from = 0; from < whole.length(); from += 20) {
      String piece = whole.substring(from, Math.min(whole.length(), from + 20));
      int found = text.indexOf(piece + "\r\n");
      if (at >= found && at < found + piece.length()) {
        return true;
      }
    }
    return false;
  }

  /** Gives a few bytes at a time, as a slow network does. */
  private static InputStream crumbs(byte[] wire, RandomGenerator random) {
    var source = new ByteArrayInputStream(wire);
    return new InputStream() {
      @Override
      public int read() {
        return source.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        return source.read(bytes, offset, Math.min(length, 1 + random.nextInt(3_000)));
      }
    };
  }
}
