package dev.ron.client.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.client.bucket.ContentCheck.Outcome;
import dev.ron.http.Headers;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What proves that bytes came whole, and what plans say about their parts. */
final class ContentCheckTest {
  private static final String HELLO_MD5 = "5d41402abc4b2a76b9719d911017c592";

  /** MD5 of MD5("he"), MD5("ll"), MD5("o"). */
  private static final String HELLO_PARTS = "75994d598838ab475c86e3140adc14c7-3";

  @ParameterizedTest(name = "{0} parts of {1}, {2}: {3} -> {4}")
  @CsvSource({
    HELLO_MD5 + ", 0, , hello, Fits",
    HELLO_MD5 + ", 0, , hellO, Differs",
    HELLO_MD5 + ", 0, , hell, Differs",
    HELLO_MD5 + ", 0, , hello!, Differs",
    HELLO_MD5 + ", 0, aws:kms, hellO, SizeOnly",
    "opaque, 0, , hello, SizeOnly",
    "opaque, 0, , hell, Differs",
    HELLO_PARTS + ", 2, , hello, Fits",
    HELLO_PARTS + ", 2, , hellO, Differs",
    HELLO_PARTS + ", 0, , hellO, SizeOnly",
    HELLO_PARTS + ", 5, , hellO, SizeOnly",
  })
  void bytesAreHeldAgainstTheEntityTag(
      String etag, long partBytes, String encryption, String bytes, String outcome)
      throws Exception {
    var headers = Headers.of("ETag", "\"" + etag + "\"", "Content-Length", "5");
    if (encryption != null) {
      headers.add("x-amz-server-side-encryption", encryption);
    }
    var check =
        new ContentCheck(
            ObjectHead.of(headers),
            partBytes == 0 ? OptionalLong.empty() : OptionalLong.of(partBytes));
    byte[] all = bytes.getBytes(UTF_8);
    check.update(all, 0, 3);
    check.update(all, 3, all.length - 3);
    assertThat(check.outcome().getClass().getSimpleName()).isEqualTo(outcome);
  }

  @Test
  void aChecksumOverAllBytesCountsMoreThanTheTag() throws Exception {
    var headers =
        Headers.of(
            "ETag", "\"" + "0".repeat(32) + "\"",
            "Content-Length", "5",
            "x-amz-checksum-crc32c", "mnG7TA==",
            "x-amz-checksum-type", "FULL_OBJECT");
    assertThat(outcome(headers)).isEqualTo(new Outcome.Fits("CRC32C"));
    headers.set("x-amz-checksum-crc32c", "mnG7TQ==");
    assertThat(outcome(headers)).isInstanceOf(Outcome.Differs.class);
    headers.set("x-amz-checksum-type", "COMPOSITE");
    assertThat(outcome(headers)).as("by the tag again").isInstanceOf(Outcome.Differs.class);
  }

  private static Outcome outcome(Headers headers) throws Exception {
    var check = new ContentCheck(ObjectHead.of(headers), OptionalLong.empty());
    check.update("hello".getBytes(UTF_8), 0, 5);
    return check.outcome();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 8388608, 8388608, 1",
    "8388608, 8388608, 8388608, 1",
    "8388609, 8388608, 8388608, 2",
    "5497558138880, 8388608, 550502400, 9987",
  })
  void largeObjectsGetLargerParts(long size, long wanted, long partBytes, int count) {
    PartPlan plan = PartPlan.of(size, wanted);
    assertThat(plan.partBytes()).isEqualTo(partBytes);
    assertThat(plan.count()).isEqualTo(count).isLessThanOrEqualTo(PartPlan.PARTS_MAX);
    assertThat(plan.start(count - 1) + plan.length(count - 1)).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b, b, ''",
    "s3://b/, b, ''",
    "S3://b/k, b, k",
    "s3://b//k/, b, /k/",
    "s3://b/a b?%41, b, a b?%41",
  })
  void aPathIsABucketAndAKey(String text, String bucket, String key) {
    assertThat(BucketPath.parse(text)).isEqualTo(new BucketPath(bucket, key));
  }

  @Test
  void whatIsNoPathIsRefused() {
    for (String text : new String[] {"", "b/k", "s3://", "s3:///k", "s3://b/" + "ü".repeat(513)}) {
      assertThatThrownBy(() -> BucketPath.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
