package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.core.ObjectKey;

/**
 * Whatever stands in a target and its query is a bucket, a key and parameters, or refused.
 *
 * <p>An input is a path and a query as they go over the wire, with a question mark between.
 */
class TargetFuzzTest {
  @FuzzTest(maxDuration = "40s")
  void anyTargetIsReadOrRefused(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    int mark = text.indexOf('?');
    String path = mark < 0 ? text : text.substring(0, mark);
    try {
      S3Target target = S3Target.of(path, "bucket.example.com", "example.com");
      ObjectKey key = target.key();
      if (key != null) {
        assertThat(key.bytes()).hasSizeBetween(1, ObjectKey.BYTES_MAX);
        assertThat(ObjectKey.of(key.toString())).contains(key);
      }
      S3Query query = S3Query.parse(mark < 0 ? null : text.substring(mark + 1));
      assertThat(query.number("max-keys", 1000, 0, 1000)).isBetween(0, 1000);
    } catch (Refusal refusal) {
      assertThat(refusal.status()).isEqualTo(400);
    }
  }
}
