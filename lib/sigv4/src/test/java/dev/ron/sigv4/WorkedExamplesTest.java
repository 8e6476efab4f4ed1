package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.sigv4.payload.ChunkSignatures;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples that the documentation of S3 works out, down to the published signature. */
class WorkedExamplesTest {
  private static final Instant TIME = Instant.parse("2013-05-24T00:00:00Z");
  private static final PayloadMode EMPTY = new PayloadMode.Hashed(SignatureText.EMPTY_SHA256);

  private final RequestSigner signer = Requests.signer(ServiceRules.S3);
  private final SignatureVerifier verifier = new SignatureVerifier(ServiceRules.S3, Requests.KEYS);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /?lifecycle           | fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543
          GET /?max-keys=2&prefix=J | 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7
          """)
  void bucketOperations(String target, String signature) {
    SignedRequest request = Requests.of(target + "\nHost: examplebucket.s3.amazonaws.com");
    assertSigned(signer.sign(request, EMPTY, TIME), signature);
  }

  @Test
  void partOfAnObject() {
    var request =
        Requests.of(
            """
            GET /test.txt
            Host: examplebucket.s3.amazonaws.com
            Range: bytes=0-9
            """);
    assertSigned(
        signer.sign(request, EMPTY, TIME),
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void anObjectWhoseNameNeedsEscapes() {
    var request =
        Requests.of(
            """
            PUT /test$file.text
            Host: examplebucket.s3.amazonaws.com
            Date: Fri, 24 May 2013 00:00:00 GMT
            x-amz-storage-class: REDUCED_REDUNDANCY
            """);
    var body = new PayloadMode.Hashed(SignatureText.sha256("Welcome to Amazon S3."));
    assertSigned(
        signer.sign(request, body, TIME),
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  void presigned() {
    var request = Requests.of("GET /test.txt\nHost: examplebucket.s3.amazonaws.com");
    SignedRequest signed = signer.presign(request, Duration.ofDays(1), TIME);
    assertThat(signed.rawQuery())
        .endsWith(
            "X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
    var verified = Requests.verified(verifier.verify(signed, TIME.plusSeconds(86_399)));
    assertThat(verified.expires()).contains(TIME.plusSeconds(86_400));
    assertThat(verified.mode()).isEqualTo(new PayloadMode.Unsigned());
  }

  @Test
  void chunks() {
    var request =
        Requests.of(
            """
            PUT /examplebucket/chunkObject.txt
            Host: s3.amazonaws.com
            x-amz-storage-class: REDUCED_REDUNDANCY
            Content-Encoding: aws-chunked
            x-amz-decoded-content-length: 66560
            Content-Length: 66824
            """);
    var signing = signer.sign(request, new PayloadMode.SignedChunks(false), TIME);
    assertSigned(signing, "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
    var chain = new ChunkSignatures(signing.seed());
    assertThat(chain.chunk(letters(65_536)))
        .isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
    assertThat(chain.chunk(letters(1024)))
        .isEqualTo("0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
    assertThat(chain.chunk(letters(0)))
        .isEqualTo("b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
  }

  @Test
  void chunksAndATrailer() {
    var request =
        Requests.of(
            """
            PUT /examplebucket/chunkObject.txt
            Host: s3.amazonaws.com
            x-amz-storage-class: REDUCED_REDUNDANCY
            Content-Encoding: aws-chunked
            x-amz-decoded-content-length: 66560
            x-amz-trailer: x-amz-checksum-crc32c
            """);
    var signing = signer.sign(request, new PayloadMode.SignedChunks(true), TIME);
    assertSigned(signing, "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e");
    var chain = new ChunkSignatures(signing.seed());
    assertThat(chain.chunk(letters(65_536)))
        .isEqualTo("b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2");
    assertThat(chain.chunk(letters(1024)))
        .isEqualTo("1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7");
    assertThat(chain.chunk(letters(0)))
        .isEqualTo("2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992");
    byte[] trailer = "x-amz-checksum-crc32c:sOO8/Q==\n".getBytes(US_ASCII);
    assertThat(chain.trailer(SignatureText.sha256().digest(trailer)))
        .isEqualTo("d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435");
  }

  private void assertSigned(RequestSigner.Signing signing, String signature) {
    assertThat(signing.seed().signature()).isEqualTo(signature);
    var verified = Requests.verified(verifier.verify(signing.request(), TIME));
    assertThat(verified.seed().signature()).isEqualTo(signature);
    assertThat(verified.accessKeyId()).isEqualTo(Requests.ID);
    assertThat(verified.signedHeaders()).contains("host", "x-amz-content-sha256", "x-amz-date");
  }

  /** The hash of so many letters a, which is what the examples send. */
  private static byte[] letters(int count) {
    var bytes = new byte[count];
    Arrays.fill(bytes, (byte) 'a');
    return SignatureText.sha256().digest(bytes);
  }
}
