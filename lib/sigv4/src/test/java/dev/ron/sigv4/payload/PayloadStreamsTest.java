package dev.ron.sigv4.payload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.Requests;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignatureFault;
import dev.ron.sigv4.SignatureText;
import dev.ron.sigv4.SignatureVerifier;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.Verification;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadStreamsTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
  private static final byte[] BODY = "The quick brown fox".getBytes(US_ASCII);

  private final SignatureVerifier verifier = new SignatureVerifier(ServiceRules.S3, Requests.KEYS);

  private static RequestSigner.Signing signed(PayloadMode mode, String... moreFields) {
    SignedRequest request = Requests.of("PUT /b/k\nHost: h");
    for (String field : moreFields) {
      request = request.with(field.split(":", 2)[0], field.split(":", 2)[1]);
    }
    return Requests.signer(ServiceRules.S3).sign(request, mode, NOW);
  }

  private byte[] read(SignedRequest request, byte[] wire) throws IOException {
    Verification.Verified verified = Requests.verified(verifier.verify(request, NOW));
    try (InputStream in = PayloadStreams.open(verified, request, new ByteArrayInputStream(wire))) {
      return in.readAllBytes();
    }
  }

  @Test
  void aHashedBodyMustHaveItsHash() throws IOException {
    String hash = SignatureText.hex(SignatureText.sha256().digest(BODY));
    SignedRequest request = signed(new PayloadMode.Hashed(hash)).request();
    assertThat(read(request, BODY)).isEqualTo(BODY);
    for (int at = 0; at < BODY.length; at++) {
      byte[] changed = BODY.clone();
      changed[at] ^= 1;
      assertThatThrownBy(() -> read(request, changed))
          .isInstanceOfSatisfying(
              PayloadFailure.class,
              failure -> {
                assertThat(failure.fault().code()).isEqualTo("XAmzContentSHA256Mismatch");
                assertThat(failure.fault().members())
                    .containsEntry("ClientComputedContentSHA256", hash);
              });
    }
    assertThatThrownBy(() -> read(request, Arrays.copyOf(BODY, 5)))
        .isInstanceOf(PayloadFailure.class);
    // Asked again, it does not end well all of a sudden.
    var stream =
        new HashedPayloadStream(
            new ByteArrayInputStream(new byte[0]), new PayloadMode.Hashed(hash));
    assertThatThrownBy(stream::read).isInstanceOf(PayloadFailure.class);
    assertThatThrownBy(stream::read).isInstanceOf(PayloadFailure.class);
  }

  @Test
  void aBodyThatNoSignatureCoversIsTakenAsItIs() throws IOException {
    assertThat(read(signed(new PayloadMode.Unsigned()).request(), BODY)).isEqualTo(BODY);
  }

  @Test
  void chunksGoOnFromTheRequestsSignature() throws IOException {
    String length = "x-amz-decoded-content-length:" + BODY.length;
    var signing = signed(new PayloadMode.SignedChunks(false), length);
    byte[] wire = ChunkedBodies.write(BODY, 8, signing.seed(), null);
    assertThat(read(signing.request(), wire)).isEqualTo(BODY);
    var other = signed(new PayloadMode.SignedChunks(false), length, "x-amz-meta-a:b");
    assertThatThrownBy(() -> read(other.request(), wire))
        .isInstanceOfSatisfying(
            PayloadFailure.class,
            failure ->
                assertThat(failure.fault()).isInstanceOf(SignatureFault.ChunkMismatch.class));
  }

  @Test
  void trailersComeAfterTheBody() throws IOException {
    var signing =
        signed(
            new PayloadMode.UnsignedChunks(),
            "x-amz-decoded-content-length:" + BODY.length,
            "x-amz-trailer:X-Amz-Checksum-CRC32");
    byte[] wire = ChunkedBodies.write(BODY, 8, null, Map.of("x-amz-checksum-crc32", "AAAAAA=="));
    Verification.Verified verified = Requests.verified(verifier.verify(signing.request(), NOW));
    var in =
        (ChunkedPayloadStream)
            PayloadStreams.open(verified, signing.request(), new ByteArrayInputStream(wire));
    assertThat(in.readAllBytes()).isEqualTo(BODY);
    assertThat(in.trailers()).containsExactly(Map.entry("x-amz-checksum-crc32", "AAAAAA=="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1e3", "0x10", "9999999999999999999", "19 19"})
  void chunksNeedTheirLength(String length) {
    var signing =
        signed(new PayloadMode.SignedChunks(false), "x-amz-decoded-content-length:" + length);
    assertThatThrownBy(() -> read(signing.request(), BODY))
        .isInstanceOfSatisfying(
            PayloadFailure.class, failure -> assertThat(failure.fault().status()).isEqualTo(411));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          aws-chunked              | ''
          aws-chunked,gzip         | gzip
          gzip, aws-chunked        | gzip
          AWS-Chunked, br , gzip   | br, gzip
          gzip                     | gzip
          ''                       | ''
          """)
  void theFramingIsNotStored(String sent, String stored) {
    assertThat(StoredEncoding.of(List.of(sent)).orElse("")).isEqualTo(stored);
    assertThat(StoredEncoding.of(List.of("aws-chunked", "zstd"))).contains("zstd");
  }
}
