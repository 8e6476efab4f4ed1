package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.time.Instant;
import java.util.ArrayList;

/**
 * Whatever arrives, the verifier answers; and what carries a signature never passes as anonymous.
 *
 * <p>Every build replays the corpus in this class's resources; with {@code JAZZER_FUZZ=1} and
 * {@code -Dron.fuzz.hooks=true} it searches for more. An input is a head: method and target, then
 * fields, by line feeds.
 */
class SignatureFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");

  @FuzzTest(maxDuration = "40s")
  void anyHeadIsAnswered(byte[] bytes) {
    SignedRequest request = request(new String(bytes, ISO_8859_1));
    for (ServiceRules rules : new ServiceRules[] {ServiceRules.S3, ServiceRules.SQS}) {
      Verification outcome =
          new SignatureVerifier(rules, Requests.KEYS)
              .verify(request, SignatureText.EMPTY_SHA256, NOW);
      switch (outcome) {
        case Verification.Refused(SignatureFault fault) -> {
          assertThat(fault.detail()).isNotBlank();
          assertThat(fault.status()).isBetween(400, 499);
        }
        case Verification.Verified verified -> {
          assertThat(verified.accessKeyId()).isEqualTo(Requests.ID);
          assertThat(verified.signedHeaders()).contains("host");
        }
        case Verification.Anonymous(PayloadMode mode) -> {
          assertThat(request.values("authorization")).isEmpty();
          assertThat(mode).isNotInstanceOf(PayloadMode.SignedChunks.class);
        }
      }
    }
  }

  private static SignedRequest request(String text) {
    String[] lines = text.split("\n", -1);
    String[] target = lines[0].split(" ", 2);
    String path = target.length < 2 ? "" : target[1];
    int question = path.indexOf('?');
    var headers = new ArrayList<SignedRequest.Header>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.add(
            new SignedRequest.Header(lines[i].substring(0, colon), lines[i].substring(colon + 1)));
      }
    }
    return new SignedRequest(
        target[0],
        question < 0 ? path : path.substring(0, question),
        question < 0 ? "" : path.substring(question + 1),
        headers);
  }
}
