package dev.ron.storage.s3.upload;

import static dev.ron.storage.s3.upload.MultipartRig.BUCKET;
import static dev.ron.storage.s3.upload.MultipartRig.bytes;
import static dev.ron.storage.s3.upload.MultipartRig.element;
import static dev.ron.storage.s3.upload.MultipartRig.outcome;
import static dev.ron.storage.s3.upload.MultipartRig.parts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ObjectChecksum;
import dev.ron.testkit.NoThreadsLeft;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of objects and of ranges by a client of its own. */
@ExtendWith(NoThreadsLeft.class)
final class CopyHttpTest {
  private static final int PART = 5 << 20;
  private static final byte[] NONE = new byte[0];
  private static final String SOURCE = "x-amz-copy-source";
  private static final String RANGE = "x-amz-copy-source-range";

  @TempDir private Path folder;

  /** An object of two parts, the second of which lies in its row. */
  private static byte[] parted(MultipartRig rig, String key) throws Exception {
    byte[] whole = bytes(7, PART + 100);
    String upload = rig.create(key);
    String one = rig.part(key, upload, 1, Arrays.copyOf(whole, PART));
    String two = rig.part(key, upload, 2, Arrays.copyOfRange(whole, PART, whole.length));
    assertThat(outcome(rig.complete(key, upload, parts(one, two)))).isEqualTo("200");
    return whole;
  }

  @Test
  void aCopyOutlivesItsSource() throws Exception {
    try (var rig = MultipartRig.open(folder, "garbage.grace=0s", "garbage.period=100ms")) {
      byte[] whole = parted(rig, "/parted");
      byte[] small = bytes(8, 10);
      byte[] large = bytes(9, 9 << 20);
      rig.send("PUT", BUCKET + "/small", small, "content-type", "text/x", "x-amz-meta-a", "b");
      rig.send("PUT", BUCKET + "/large", large);
      for (String key : new String[] {"/parted", "/small", "/large"}) {
        HttpResponse<byte[]> head = rig.send("HEAD", BUCKET + key, NONE);
        HttpResponse<byte[]> copied =
            rig.send("PUT", BUCKET + "/copy" + key, NONE, SOURCE, BUCKET + key);
        assertThat(outcome(copied)).isEqualTo("200");
        assertThat(element(copied, "ETag"))
            .isEqualTo(head.headers().firstValue("ETag").orElseThrow());
        assertThat(outcome(rig.send("DELETE", BUCKET + key, NONE))).isEqualTo("204");
      }
      // Once this one's block is gone, those of the sources were looked at.
      rig.send("PUT", BUCKET + "/other", bytes(10, 8 << 10));
      rig.send("DELETE", BUCKET + "/other", NONE);
      rig.awaitBlocks(2 + 1 + 3);
      assertThat(rig.send("GET", BUCKET + "/copy/parted", NONE).body()).isEqualTo(whole);
      assertThat(rig.send("GET", BUCKET + "/copy/large", NONE).body()).isEqualTo(large);
      HttpResponse<byte[]> got = rig.send("GET", BUCKET + "/copy/small", NONE);
      assertThat(got.body()).isEqualTo(small);
      assertThat(got.headers().firstValue("x-amz-meta-a")).hasValue("b");
      assertThat(got.headers().firstValue("Content-Type")).hasValue("text/x");
      for (String key : new String[] {"/parted", "/small", "/large"}) {
        rig.send("DELETE", BUCKET + "/copy" + key, NONE);
      }
      rig.awaitBlocks(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // first, last
    "0, 5242979",
    "0, 5242879",
    "1, 4194304",
    "4194300, 5242979",
    "5242880, 5242979",
    "17, 17",
  })
  void aRangeBecomesAPart(int first, int last) throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      byte[] whole = parted(rig, "/from");
      byte[] expected = Arrays.copyOfRange(whole, first, last + 1);
      for (String algorithm : new String[] {"", "CRC32"}) {
        String upload =
            algorithm.isEmpty()
                ? rig.create("/to")
                : rig.create("/to", "x-amz-checksum-algorithm", algorithm);
        HttpResponse<byte[]> part =
            rig.send(
                "PUT",
                MultipartRig.part("/to", upload, 1),
                NONE,
                SOURCE,
                BUCKET + "/from",
                RANGE,
                "bytes=" + first + "-" + last);
        assertThat(outcome(part)).isEqualTo("200");
        if (!algorithm.isEmpty()) {
          assertThat(element(part, "ChecksumCRC32"))
              .isEqualTo(ObjectChecksum.of(ChecksumAlgorithm.CRC32, expected).base64());
        }
        assertThat(outcome(rig.complete("/to", upload, parts(element(part, "ETag")))))
            .isEqualTo("200");
        assertThat(rig.send("GET", BUCKET + "/to", NONE).body()).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-10,    416 InvalidRange",
    "bytes=5-4,     416 InvalidRange",
    "0-2,           400 InvalidArgument",
    "bytes=0-,      400 InvalidArgument",
    "bytes=-2,      400 InvalidArgument",
    "'bytes=0-1,3-4', 400 InvalidArgument",
    "bytes=0-99999999999999999999, 400 InvalidArgument",
  })
  void aRangeThatIsNotThereIsRefused(String range, String outcome) throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      rig.send("PUT", BUCKET + "/from", bytes(1, 10));
      String upload = rig.create("/to");
      String target = MultipartRig.part("/to", upload, 1);
      assertThat(outcome(rig.send("PUT", target, NONE, SOURCE, BUCKET + "/from", RANGE, range)))
          .isEqualTo(outcome);
    }
  }

  @Test
  void whatACopyMayNot() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      String etag =
          rig.send("PUT", BUCKET + "/a", bytes(1, 10)).headers().firstValue("ETag").orElseThrow();
      String a = BUCKET + "/a";
      String b = BUCKET + "/b";
      assertThat(outcome(rig.send("PUT", a, NONE, SOURCE, a))).isEqualTo("400 InvalidRequest");
      assertThat(outcome(rig.send("PUT", b, NONE, SOURCE, "photos")))
          .isEqualTo("400 InvalidArgument");
      assertThat(outcome(rig.send("PUT", b, NONE, SOURCE, "/nowhere/a")))
          .isEqualTo("404 NoSuchBucket");
      assertThat(outcome(rig.send("PUT", b, NONE, SOURCE, "/photos/x"))).isEqualTo("404 NoSuchKey");
      assertThat(outcome(rig.send("PUT", b, NONE, SOURCE, a, "x-amz-metadata-directive", "x")))
          .isEqualTo("400 InvalidArgument");
      assertThat(outcome(rig.send("PUT", b, NONE, SOURCE, a, SOURCE + "-if-match", "\"x\"")))
          .isEqualTo("412 PreconditionFailed");
      assertThat(outcome(rig.send("PUT", b, NONE, SOURCE, a, SOURCE + "-if-none-match", etag)))
          .isEqualTo("412 PreconditionFailed");
      assertThat(
              outcome(
                  rig.send(
                      "PUT",
                      a,
                      NONE,
                      SOURCE,
                      a,
                      "x-amz-metadata-directive",
                      "REPLACE",
                      "if-none-match",
                      "*")))
          .isEqualTo("412 PreconditionFailed");
      assertThat(outcome(rig.send("GET", b, NONE))).isEqualTo("404 NoSuchKey");
      assertThat(
              outcome(
                  rig.send(
                      "PUT",
                      a,
                      NONE,
                      SOURCE,
                      a,
                      "x-amz-metadata-directive",
                      "REPLACE",
                      "x-amz-meta-new",
                      "1")))
          .isEqualTo("200");
      assertThat(rig.send("HEAD", a, NONE).headers().firstValue("x-amz-meta-new")).hasValue("1");
    }
  }

  /** A right to write is none to read what others wrote. */
  @Test
  void theSourceMustBeReadable() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      rig.send("PUT", BUCKET + "/secret", bytes(1, 10));
      KeyPair other = rig.pair("other");
      assertThat(outcome(rig.send(other, "PUT", "/theirs", NONE))).isEqualTo("200");
      String source = BUCKET + "/secret";
      assertThat(outcome(rig.send(other, "PUT", "/theirs/a", NONE, SOURCE, source)))
          .isEqualTo("403 AccessDenied");
      String upload = element(rig.send(other, "POST", "/theirs/a?uploads", NONE), "UploadId");
      String target = "/theirs/a?partNumber=1&uploadId=" + upload;
      assertThat(outcome(rig.send(other, "PUT", target, NONE, SOURCE, source)))
          .isEqualTo("403 AccessDenied");
      // Whether something is there is not told either.
      assertThat(outcome(rig.send(other, "PUT", "/theirs/a", NONE, SOURCE, source + "-not")))
          .isEqualTo("403 AccessDenied");
    }
  }

  /** Sources vanish and their blocks are collected while they are copied. */
  @Test
  void aCopyThatIsAnsweredHasItsBytes() throws Exception {
    try (var rig = MultipartRig.open(folder, "garbage.grace=0s", "garbage.period=100ms")) {
      Map<String, byte[]> copied = new HashMap<>();
      int missed = 0;
      for (int i = 0; i < 60; i++) {
        byte[] bytes = bytes(1000 + i, 20_000);
        String from = BUCKET + "/from" + i;
        String to = BUCKET + "/to" + i;
        rig.send("PUT", from, bytes);
        CompletableFuture<HttpResponse<byte[]>> gone =
            rig.begin("DELETE", from, BodyPublishers.noBody());
        CompletableFuture<HttpResponse<byte[]>> copy =
            rig.begin("PUT", to, BodyPublishers.noBody(), SOURCE, from);
        assertThat(gone.get(50, TimeUnit.SECONDS).statusCode()).isEqualTo(204);
        String outcome = outcome(copy.get(50, TimeUnit.SECONDS));
        assertThat(outcome).isIn("200", "404 NoSuchKey");
        if (outcome.equals("200")) {
          copied.put(to, bytes);
        } else {
          missed++;
        }
      }
      assertThat(copied.size() + missed).isEqualTo(60);
      rig.awaitBlocks(copied.size());
      for (Map.Entry<String, byte[]> each : copied.entrySet()) {
        assertThat(rig.send("GET", each.getKey(), NONE).body()).isEqualTo(each.getValue());
      }
    }
  }
}
