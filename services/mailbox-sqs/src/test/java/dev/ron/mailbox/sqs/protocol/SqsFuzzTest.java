package dev.ron.mailbox.sqs.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import java.util.List;

/** Whatever body a request has, in either protocol, it is read or refused as the caller's fault. */
class SqsFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void sqsQuery(byte[] bytes) {
    try {
      RequestTree tree = RequestTree.form(List.of(new String(bytes, ISO_8859_1)));
      assertThat(tree).isNotNull();
    } catch (Refusal refused) {
      assertThat(refused.status()).isBetween(400, 499);
    }
  }

  @FuzzTest(maxDuration = "2m")
  void sqsJson(byte[] bytes) {
    try {
      RequestTree tree = RequestTree.json(bytes);
      assertThat(tree).isNotNull();
    } catch (Refusal refused) {
      assertThat(refused.status()).isBetween(400, 499);
    }
  }
}
