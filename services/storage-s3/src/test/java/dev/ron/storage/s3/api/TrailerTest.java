package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ObjectChecksum;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.payload.ChunkSignatures;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.testkit.RawClient;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A body in chunks is stored only if the fields that follow it are those that were announced. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TrailerTest {
  private static final String UNSIGNED = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  private static final String SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
  private static final String BODY = "hello";
  private static final String MALFORMED = "400 MalformedTrailerError";

  private SignedDoor door;
  private Caller main;
  private Caller bounded;

  @BeforeAll
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    bounded = door.tenant("main", new Caveat.Bytes(100));
    assertThat(main.put("/b12", "")).isEqualTo("200");
    assertThat(main.put("/b12/k", "before")).isEqualTo("200");
  }

  @AfterAll
  void close() {
    door.close();
  }

  private static String sum(ChecksumAlgorithm algorithm, String body) {
    var sum = new ObjectChecksum(algorithm);
    sum.update(ByteBuffer.wrap(body.getBytes(UTF_8)));
    return sum.value().base64();
  }

  private static byte[] sha256(String text) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
  }

  /**
   * Stores {@link #BODY} in one chunk.
   *
   * @param announced what {@code x-amz-trailer} says; empty for a request without it
   * @param fields what follows, {@code name:value} each
   */
  private String put(Caller caller, String mode, String target, String announced, String... fields)
      throws Exception {
    String length = Integer.toString(BODY.length());
    var request = caller.unsigned("PUT", target, "x-amz-decoded-content-length", length);
    RequestSigner.Signing signing =
        caller
            .signer()
            .sign(
                announced.isEmpty() ? request : request.with("x-amz-trailer", announced),
                PayloadMode.parse(mode).orElseThrow(),
                Instant.now());
    var signatures = new ChunkSignatures(signing.seed());
    boolean signed = mode.equals(SIGNED);
    var body = new StringBuilder();
    for (String chunk : new String[] {BODY, ""}) {
      body.append(Integer.toHexString(chunk.length()));
      if (signed) {
        body.append(";chunk-signature=").append(signatures.chunk(sha256(chunk)));
      }
      body.append("\r\n").append(chunk).append(chunk.isEmpty() ? "" : "\r\n");
    }
    var lines = new StringBuilder();
    for (String field : fields) {
      body.append(field).append("\r\n");
      lines.append(field).append('\n');
    }
    if (signed) {
      body.append("x-amz-trailer-signature:")
          .append(signatures.trailer(sha256(lines.toString())))
          .append("\r\n");
    }
    return door.raw(signing.request(), body.append("\r\n").toString());
  }

  private void nothingNew() throws Exception {
    assertThat(main.send("GET", "/b12?list-type=2", "").text())
        .contains("<KeyCount>1</KeyCount>", "<Key>k</Key>");
    assertThat(main.send("GET", "/b12/k", "").text()).isEqualTo("before");
  }

  @ParameterizedTest
  @EnumSource(ChecksumAlgorithm.class)
  void aWrongChecksumStoresNothing(ChecksumAlgorithm algorithm) throws Exception {
    String field = algorithm.header();
    for (String mode : new String[] {UNSIGNED, SIGNED}) {
      for (Caller caller : new Caller[] {main, bounded}) {
        for (String target : new String[] {"/b12/k", "/b12/new"}) {
          assertThat(put(caller, mode, target, field, field + ":" + sum(algorithm, "other")))
              .as(mode + target)
              .isEqualTo("400 BadDigest");
        }
        nothingNew();
        assertThat(put(caller, mode, "/b12/right", field, field + ":" + sum(algorithm, BODY)))
            .isEqualTo("200");
        assertThat(main.delete("/b12/right")).isEqualTo("204");
      }
    }
  }

  @Test
  void aWrongChecksumIsNoPart() throws Exception {
    String begun = main.send("POST", "/b12/up?uploads", "").text();
    String upload = "uploadId=" + begun.replaceAll("(?s).*<UploadId>([^<]*)</UploadId>.*", "$1");
    String field = ChecksumAlgorithm.CRC32.header();
    String wrong = field + ":" + sum(ChecksumAlgorithm.CRC32, "other");
    for (Caller caller : new Caller[] {main, bounded}) {
      for (String mode : new String[] {UNSIGNED, SIGNED}) {
        assertThat(put(caller, mode, "/b12/up?partNumber=1&" + upload, field, wrong))
            .isEqualTo("400 BadDigest");
      }
    }
    assertThat(main.send("GET", "/b12/up?" + upload, "").text())
        .contains("<ListPartsResult")
        .doesNotContain("<Part>");
    assertThat(main.delete("/b12/up?" + upload)).isEqualTo("204");
  }

  @ParameterizedTest
  @ValueSource(strings = {UNSIGNED, SIGNED})
  void theFieldsAreExactlyThoseThatWereAnnounced(String mode) throws Exception {
    String right = "x-amz-checksum-crc32:" + sum(ChecksumAlgorithm.CRC32, BODY);
    String other = "x-amz-checksum-sha256:" + sum(ChecksumAlgorithm.SHA256, BODY);
    String named = "x-amz-checksum-crc32";
    for (Caller caller : new Caller[] {main, bounded}) {
      assertThat(put(caller, mode, "/b12/k", named)).as("missing").isEqualTo(MALFORMED);
      assertThat(put(caller, mode, "/b12/k", named, other)).as("another").isEqualTo(MALFORMED);
      assertThat(put(caller, mode, "/b12/k", named, right, other)).as("more").isEqualTo(MALFORMED);
      assertThat(put(caller, mode, "/b12/k", named, right, right)).as("twice").isEqualTo(MALFORMED);
      assertThat(put(caller, mode, "/b12/k", "", right)).as("unannounced").isEqualTo(MALFORMED);
      nothingNew();
    }
  }

  /** A body that has no chunks has nothing after it, so what was announced cannot come. */
  @Test
  void aPlainBodyKeepsNoPromiseOfATrailer() throws Exception {
    assertThat(main.put("/b12/k", BODY, "x-amz-trailer", "x-amz-checksum-crc32"))
        .isEqualTo("400 InvalidRequest");
    nothingNew();
  }

  /** Whose signature is right, and whose rights do not go so far. */
  @ParameterizedTest
  @ValueSource(strings = {UNSIGNED, SIGNED})
  void aStreamOfACallerThatMayNotStoreIsRefused(String mode) throws Exception {
    Caller reader = door.tenant("main", new Caveat.Operation(Set.of("get")));
    Caller other = door.tenant("other");
    String field = "x-amz-checksum-crc32";
    String right = field + ":" + sum(ChecksumAlgorithm.CRC32, BODY);
    for (Caller caller : new Caller[] {reader, other}) {
      for (String target : new String[] {"/b12/k", "/b12/new"}) {
        assertThat(put(caller, mode, target, field, right)).isEqualTo("403 AccessDenied");
      }
    }
    nothingNew();
  }

  /** The refused stream's bytes are not taken for a request, whichever way its connection goes. */
  @Test
  void theConnectionOfARefusedStreamGoesOnBehindIt() throws Exception {
    Caller reader = door.tenant("main", new Caveat.Operation(Set.of("get")));
    var next = reader.signed(reader.unsigned("GET", "/b12/k"));
    var put = reader.unsigned("PUT", "/b12/k", "x-amz-decoded-content-length", "60");
    RequestSigner.Signing signing =
        reader
            .signer()
            .sign(
                put,
                PayloadMode.parse("STREAMING-AWS4-HMAC-SHA256-PAYLOAD").orElseThrow(),
                Instant.now());
    String smuggled = "DELETE /b12/k HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n";
    try (var client = new RawClient(door.port())) {
      client.send(SignedDoor.text(signing.request(), smuggled.length()) + smuggled);
      assertThat(SignedDoor.brief(client.answer())).isEqualTo("403 AccessDenied");
      client.send(SignedDoor.text(next, 0));
      assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("before");
    }
    nothingNew();
  }
}
