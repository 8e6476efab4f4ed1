package dev.ron.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.testkit.SeedRow;
import java.util.Arrays;

/**
 * No body decodes to more than its limits, and how it is cut into pieces changes nothing.
 *
 * <p>Every build replays the corpus in {@code src/test/resources/dev/ron/http/decode/
 * DecoderFuzzTestInputs/decoder}. To fuzz:
 *
 * <pre>
 * JAZZER_FUZZ=1 ./mvnw -Dron.fuzz.hooks=true -pl lib/http -am verify -Dtest=DecoderFuzzTest -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class DecoderFuzzTest {
  private static final long CAP = 200_000;
  private static final String[] CODINGS = {
    "gzip", "deflate", "zstd", "br", "gzip, br", "deflate, zstd", "zstd, gzip", "br, deflate"
  };

  @FuzzTest(maxDuration = "2m")
  @SeedRow({"E78", "G75"})
  void decoder(FuzzedDataProvider data) {
    String coding = data.pickValue(CODINGS);
    byte[] body = data.consumeRemainingAsBytes();
    var limits = DecodeLimits.capped(CAP);
    var whole = Bodies.decode(coding, body, limits, body.length + 1, 8192);
    long most = Math.min(CAP, Math.max(DecodeLimits.RATIO_WAITS_BYTES, 10L * body.length));
    assertThat((long) whole.bytes().length).isLessThanOrEqualTo(most);
    var pieces = Bodies.decode(coding, body, limits, 1, 999);
    assertThat(pieces.fault().isEmpty()).isEqualTo(whole.fault().isEmpty());
    if (whole.fault().isEmpty()) {
      assertThat(Arrays.equals(pieces.bytes(), whole.bytes())).isTrue();
      assertThat((long) whole.bytes().length).isLessThanOrEqualTo(10L * body.length);
    }
  }
}
