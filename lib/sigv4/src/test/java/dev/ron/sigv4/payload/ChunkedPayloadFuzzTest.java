package dev.ron.sigv4.payload;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.sigv4.CredentialScope;
import dev.ron.sigv4.DerivedKey;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignatureFault;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Whatever body arrives, in whatever pieces, it is read in the same way; it ends well only with as
 * many bytes as announced.
 *
 * <p>Every build replays the corpus in this class's resources; with {@code JAZZER_FUZZ=1} and
 * {@code -Dron.fuzz.hooks=true} it searches for more. The first byte of an input is the length of
 * the pieces, the second the announced length, the third the mode.
 */
class ChunkedPayloadFuzzTest {
  static final ChunkSignatures.Seed SEED =
      new ChunkSignatures.Seed(
          DerivedKey.of("secret", new CredentialScope("20261115", "r", "s3")),
          "20261115T100000Z",
          "ab".repeat(32));

  /** What came of a body. */
  private record Outcome(Optional<SignatureFault> fault, ByteBuffer plain) {}

  @FuzzTest(maxDuration = "40s")
  void anyBodyIsReadInOneWay(byte[] bytes) {
    if (bytes.length < 3) {
      return;
    }
    byte[] wire = Arrays.copyOfRange(bytes, 3, bytes.length);
    int length = bytes[1] & 0xff;
    Outcome whole = read(wire, Math.max(1, wire.length), length, bytes[2]);
    Outcome pieces = read(wire, 1 + (bytes[0] & 0xff), length, bytes[2]);
    assertThat(pieces).isEqualTo(whole);
    assertThat(whole.plain().remaining()).isLessThanOrEqualTo(length);
    if (whole.fault().isEmpty()) {
      assertThat(whole.plain().remaining()).isEqualTo(length);
    }
  }

  private static Outcome read(byte[] wire, int pieceBytes, int length, byte kind) {
    PayloadMode mode =
        switch (kind % 3) {
          case 0 -> new PayloadMode.UnsignedChunks();
          case 1 -> new PayloadMode.SignedChunks(false);
          default -> new PayloadMode.SignedChunks(true);
        };
    var payload = new ChunkedPayload(mode, SEED, length, Set.of("x-amz-checksum-crc32"));
    // One more than may come, so that room is never what stops it.
    ByteBuffer plain = ByteBuffer.allocate(length + 1);
    for (int at = 0; at < wire.length; at += pieceBytes) {
      int to = Math.min(wire.length, at + pieceBytes);
      ByteBuffer piece = ByteBuffer.wrap(wire, at, to - at);
      if (payload.decode(piece, plain).isEmpty()) {
        assertThat(piece.hasRemaining()).as("all of a piece is taken").isFalse();
      }
    }
    Optional<SignatureFault> fault = payload.end();
    assertThat(payload.done()).isEqualTo(fault.isEmpty());
    return new Outcome(fault, plain.flip());
  }
}
