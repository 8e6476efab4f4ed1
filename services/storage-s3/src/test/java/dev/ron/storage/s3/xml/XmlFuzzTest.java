package dev.ron.storage.s3.xml;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;

/**
 * Whatever a request sends as its document is read or refused.
 *
 * <p>Every build replays the corpus in this class's resources; with {@code JAZZER_FUZZ=1} and
 * {@code -Dron.fuzz.hooks=true} it searches for more.
 */
class XmlFuzzTest {
  @FuzzTest(maxDuration = "40s")
  void anyDocumentIsReadOrRefused(byte[] bytes) {
    try {
      assertThat(XmlReader.read(bytes, "Delete").name()).isEqualTo("Delete");
    } catch (Refusal refusal) {
      assertThat(refusal.status()).isEqualTo(400);
    }
  }
}
