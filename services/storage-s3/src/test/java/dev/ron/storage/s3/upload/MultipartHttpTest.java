package dev.ron.storage.s3.upload;

import static dev.ron.storage.s3.upload.MultipartRig.BUCKET;
import static dev.ron.storage.s3.upload.MultipartRig.bytes;
import static dev.ron.storage.s3.upload.MultipartRig.element;
import static dev.ron.storage.s3.upload.MultipartRig.outcome;
import static dev.ron.storage.s3.upload.MultipartRig.parts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ObjectChecksum;
import dev.ron.testkit.NoThreadsLeft;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Uploads in parts by a client of its own. */
@ExtendWith(NoThreadsLeft.class)
final class MultipartHttpTest {
  private static final int PART = 5 << 20;
  private static final byte[] NONE = new byte[0];

  private final byte[] first = bytes(1, PART);
  private final byte[] second = bytes(2, PART + 17);
  private final byte[] last = bytes(3, 100);
  private final byte[] whole = joined(first, second, last);

  @TempDir private Path folder;

  private static byte[] joined(byte[]... pieces) {
    int length = Arrays.stream(pieces).mapToInt(piece -> piece.length).sum();
    byte[] whole = new byte[length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, whole, at, piece.length);
      at += piece.length;
    }
    return whole;
  }

  private static byte[] md5(byte[] bytes) throws Exception {
    return MessageDigest.getInstance("MD5").digest(bytes);
  }

  /** Three parts, with gaps between their numbers. */
  private HttpResponse<byte[]> store(MultipartRig rig, String key) throws Exception {
    String upload = rig.create(key);
    String one = rig.part(key, upload, 2, first);
    String two = rig.part(key, upload, 5, second);
    String three = rig.part(key, upload, 9, last);
    return rig.complete(
        key,
        upload,
        parts("x", one, "x", "x", two, "x", "x", "x", three)
            .replaceAll("<Part><PartNumber>\\d+</PartNumber><ETag>x</ETag></Part>", ""));
  }

  @Test
  void anObjectOfPartsIsReadWholeInRangesAndByPart() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      HttpResponse<byte[]> done = store(rig, "/a");
      byte[] sums = joined(md5(first), md5(second), md5(last));
      String etag = '"' + HexFormat.of().formatHex(md5(sums)) + "-3\"";
      assertThat(element(done, "ETag")).isEqualTo(etag);
      HttpResponse<byte[]> got = rig.send("GET", BUCKET + "/a", NONE);
      assertThat(got.body()).isEqualTo(whole);
      assertThat(got.headers().firstValue("ETag")).hasValue(etag);
      HttpResponse<byte[]> range =
          rig.send("GET", BUCKET + "/a", NONE, "range", "bytes=5242870-10485799");
      assertThat(range.statusCode()).isEqualTo(206);
      assertThat(range.body()).isEqualTo(Arrays.copyOfRange(whole, 5242870, 10485800));
      HttpResponse<byte[]> part = rig.send("GET", BUCKET + "/a?partNumber=2", NONE);
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(second);
      assertThat(part.headers().firstValue("x-amz-mp-parts-count")).hasValue("3");
      assertThat(outcome(rig.send("GET", BUCKET + "/a?partNumber=4", NONE)))
          .isEqualTo("400 InvalidPart");
    }
  }

  @Test
  void whoCompletesAgainHearsTheSameAndOnlyForThatKey() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      String upload = rig.create("/a");
      String etag = rig.part("/a", upload, 1, last);
      HttpResponse<byte[]> once = rig.complete("/a", upload, parts(etag), "if-none-match", "*");
      assertThat(outcome(once)).isEqualTo("200");
      HttpResponse<byte[]> again = rig.complete("/a", upload, parts(etag), "if-none-match", "*");
      assertThat(again.body()).isEqualTo(once.body());
      assertThat(outcome(rig.complete("/b", upload, parts(etag)))).isEqualTo("404 NoSuchUpload");
      assertThat(outcome(rig.send("PUT", MultipartRig.part("/a", upload, 1), last)))
          .isEqualTo("404 NoSuchUpload");
      assertThat(outcome(rig.send("DELETE", BUCKET + "/a?uploadId=" + upload, NONE)))
          .isEqualTo("404 NoSuchUpload");
    }
  }

  /** Its client would take the object for the one with all of its parts. */
  @Test
  void whatWasCompletedWithOtherPartsIsNotAnswered() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      String upload = rig.create("/a");
      String one = rig.part("/a", upload, 1, first);
      String two = rig.part("/a", upload, 2, last);
      assertThat(outcome(rig.complete("/a", upload, parts(one)))).isEqualTo("200");
      for (String other : List.of(parts(one, two), parts(two), parts(one, one))) {
        assertThat(outcome(rig.complete("/a", upload, other))).isEqualTo("404 NoSuchUpload");
      }
      assertThat(outcome(rig.complete("/a", upload, parts("x")))).isEqualTo("400 InvalidPart");
      assertThat(outcome(rig.complete("/a", upload, parts(one)))).isEqualTo("200");
      assertThat(rig.send("GET", BUCKET + "/a", NONE).body()).isEqualTo(first);
    }
  }

  @Test
  void wrongCompletionsChangeNothing() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      String upload = rig.create("/a");
      String small = rig.part("/a", upload, 1, last);
      String large = rig.part("/a", upload, 2, first);
      String[][] table = {
        {"", "400 MalformedXML"},
        {"<CompleteMultipartUpload/>", "400 MalformedXML"},
        {"<Complete></Complete>", "400 MalformedXML"},
        {"<CompleteMultipartUpload><Part>", "400 MalformedXML"},
        {
          "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part>"
              + "</CompleteMultipartUpload>",
          "400 MalformedXML"
        },
        {parts(small).replace(">1<", ">0<"), "400 InvalidArgument"},
        {parts(small).replace(">1<", ">10001<"), "400 InvalidArgument"},
        {parts(small).replace(">1<", ">3<"), "400 InvalidPart"},
        {parts("\"00000000000000000000000000000000\""), "400 InvalidPart"},
        {
          parts(small, large).replace(">1<", ">x<").replace(">2<", ">1<").replace(">x<", ">2<"),
          "400 InvalidPartOrder"
        },
        {parts(small, large), "400 EntityTooSmall"},
      };
      for (String[] row : table) {
        assertThat(outcome(rig.complete("/a", upload, row[0]))).as(row[0]).isEqualTo(row[1]);
      }
      String many = parts(new String[10_001]);
      assertThat(outcome(rig.complete("/a", upload, many))).isEqualTo("400 MalformedXML");
      assertThat(outcome(rig.complete("/a", upload, parts(small), "x-amz-mp-object-size", "99")))
          .isEqualTo("400 InvalidRequest");
      assertThat(outcome(rig.complete("/a", upload, parts(small), "if-match", "*")))
          .isEqualTo("404 NoSuchKey");
      assertThat(outcome(rig.send("GET", BUCKET + "/a", NONE))).isEqualTo("404 NoSuchKey");
      HttpResponse<byte[]> list = rig.send("GET", BUCKET + "/a?uploadId=" + upload, NONE);
      assertThat(new String(list.body(), UTF_8)).contains(">1<", ">2<").contains("<Size>100<");
      assertThat(outcome(rig.complete("/a", upload, parts(small), "x-amz-mp-object-size", "100")))
          .isEqualTo("200");
      assertThat(rig.send("GET", BUCKET + "/a", NONE).body()).isEqualTo(last);
      String next = rig.create("/a");
      String etag = rig.part("/a", next, 1, last);
      assertThat(outcome(rig.complete("/a", next, parts(etag), "if-none-match", "*")))
          .isEqualTo("412 PreconditionFailed");
    }
  }

  /** Gives bytes up to a gate, and the rest once it is open. */
  private static final class GatedStream extends InputStream {
    private final InputStream bytes;
    private final int gateAt;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private int given;

    GatedStream(byte[] bytes, int gateAt) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.gateAt = gateAt;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("read in pieces");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (given >= gateAt) {
        reached.countDown();
        try {
          if (!open.await(50, TimeUnit.SECONDS)) {
            throw new IOException("the gate stayed shut");
          }
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      int count = bytes.read(into, offset, length);
      given += Math.max(0, count);
      return count;
    }
  }

  @ParameterizedTest
  @CsvSource({"abort", "complete"})
  void aPartThatComesWhileItsUploadEndsIsNotTaken(String end) throws Exception {
    byte[] large = bytes(4, 24 << 20);
    try (var rig = MultipartRig.open(folder, "garbage.grace=0s", "garbage.period=100ms")) {
      String upload = rig.create("/a");
      String etag = rig.part("/a", upload, 1, last);
      // So much more than sockets hold that the server is reading it.
      var stream = new GatedStream(large, 20 << 20);
      CompletableFuture<HttpResponse<byte[]>> late =
          rig.begin(
              "PUT",
              MultipartRig.part("/a", upload, 1),
              BodyPublishers.fromPublisher(
                  BodyPublishers.ofInputStream(() -> stream), large.length));
      assertThat(stream.reached.await(50, TimeUnit.SECONDS)).isTrue();
      HttpResponse<byte[]> ended =
          end.equals("abort")
              ? rig.send("DELETE", BUCKET + "/a?uploadId=" + upload, NONE)
              : rig.complete("/a", upload, parts(etag));
      assertThat(outcome(ended)).isEqualTo(end.equals("abort") ? "204" : "200");
      stream.open.countDown();
      assertThat(outcome(late.get(50, TimeUnit.SECONDS))).isEqualTo("404 NoSuchUpload");
      HttpResponse<byte[]> object = rig.send("GET", BUCKET + "/a", NONE);
      if (end.equals("abort")) {
        assertThat(outcome(object)).isEqualTo("404 NoSuchKey");
      } else {
        assertThat(object.body()).isEqualTo(last);
      }
      rig.awaitBlocks(0);
    }
  }

  @ParameterizedTest
  @EnumSource(ChecksumAlgorithm.class)
  void theChecksumOfTheObjectFollowsFromThoseOfItsParts(ChecksumAlgorithm algorithm)
      throws Exception {
    String field = algorithm.header();
    try (var rig = MultipartRig.open(folder)) {
      String upload = rig.create("/a", "x-amz-checksum-algorithm", algorithm.name());
      String one = rig.part("/a", upload, 1, first, field, of(algorithm, first));
      assertThat(outcome(rig.send("PUT", MultipartRig.part("/a", upload, 2), last, field, "bad")))
          .isEqualTo("400 BadDigest");
      String two = rig.part("/a", upload, 2, last);
      ChecksumAlgorithm other =
          algorithm == ChecksumAlgorithm.SHA1 ? ChecksumAlgorithm.SHA256 : ChecksumAlgorithm.SHA1;
      assertThat(
              outcome(
                  rig.send(
                      "PUT",
                      MultipartRig.part("/a", upload, 3),
                      last,
                      other.header(),
                      of(other, last))))
          .isEqualTo("400 InvalidRequest");
      assertThat(outcome(rig.complete("/a", upload, parts(one, two), field, "bad")))
          .isEqualTo("400 BadDigest");
      String element = "Checksum" + algorithm;
      String wrong =
          parts(one, two)
              .replaceFirst(
                  "</Part>",
                  "<" + element + ">" + of(algorithm, last) + "</" + element + "></Part>");
      assertThat(outcome(rig.complete("/a", upload, wrong))).isEqualTo("400 InvalidPart");
      boolean full = algorithm == ChecksumAlgorithm.CRC64NVME;
      String expected =
          full
              ? of(algorithm, joined(first, last))
              : of(algorithm, joined(raw(algorithm, first), raw(algorithm, last))) + "-2";
      HttpResponse<byte[]> done = rig.complete("/a", upload, parts(one, two), field, expected);
      assertThat(element(done, element)).isEqualTo(expected);
      assertThat(element(done, "ChecksumType")).isEqualTo(full ? "FULL_OBJECT" : "COMPOSITE");
      String mode = "x-amz-checksum-mode";
      HttpResponse<byte[]> head = rig.send("HEAD", BUCKET + "/a", NONE, mode, "ENABLED");
      assertThat(head.headers().firstValue(field)).hasValue(expected);
      HttpResponse<byte[]> part =
          rig.send("GET", BUCKET + "/a?partNumber=2", NONE, mode, "enabled");
      assertThat(part.headers().firstValue(field)).hasValue(of(algorithm, last));
      HttpResponse<byte[]> attributes =
          rig.send(
              "GET",
              BUCKET + "/a?attributes",
              NONE,
              "x-amz-object-attributes",
              "Checksum,ObjectParts,ObjectSize",
              "x-amz-max-parts",
              "1");
      assertThat(element(attributes, element)).isEqualTo(expected);
      assertThat(element(attributes, "PartsCount")).isEqualTo("2");
      assertThat(element(attributes, "IsTruncated")).isEqualTo("true");
      assertThat(element(attributes, "NextPartNumberMarker")).isEqualTo("1");
    }
  }

  private static String of(ChecksumAlgorithm algorithm, byte[] bytes) {
    return ObjectChecksum.of(algorithm, bytes).base64();
  }

  private static byte[] raw(ChecksumAlgorithm algorithm, byte[] bytes) {
    return ObjectChecksum.of(algorithm, bytes).digest();
  }

  /** An upload is no object: its bucket can go, and takes its parts along. */
  @Test
  void aBucketGoesWithItsOpenUploads() throws Exception {
    try (var rig = MultipartRig.open(folder, "garbage.grace=0s", "garbage.period=100ms")) {
      String upload = rig.create("/open");
      String part = BUCKET + "/open?partNumber=1&uploadId=" + upload;
      assertThat(outcome(rig.send("PUT", part, bytes(1, 20_000)))).isEqualTo("200");
      // More than end in one change.
      for (int i = 0; i < 210; i++) {
        rig.create("/many");
      }
      rig.awaitBlocks(1);
      assertThat(outcome(rig.send("DELETE", BUCKET, NONE))).isEqualTo("204");
      rig.awaitBlocks(0);
      assertThat(outcome(rig.send("PUT", part, NONE))).isEqualTo("404 NoSuchBucket");
      // A bucket of the same name is another one.
      assertThat(outcome(rig.send("PUT", BUCKET, NONE))).isEqualTo("200");
      assertThat(outcome(rig.send("PUT", part, bytes(2, 10)))).isEqualTo("404 NoSuchUpload");
      assertThat(new String(rig.send("GET", BUCKET + "?uploads", NONE).body(), UTF_8))
          .doesNotContain("<Upload>");
    }
  }

  @Test
  void openUploadsAreListedInPages() throws Exception {
    try (var rig = MultipartRig.open(folder)) {
      String one = rig.create("/b");
      String two = rig.create("/b");
      rig.create("/a/x");
      rig.create("/a/y");
      rig.create("/c");
      String page = BUCKET + "?uploads&max-uploads=2&delimiter=/";
      HttpResponse<byte[]> first = rig.send("GET", page, NONE);
      assertThat(element(first, "IsTruncated")).isEqualTo("true");
      assertThat(element(first, "NextKeyMarker")).isEqualTo("b");
      assertThat(element(first, "NextUploadIdMarker")).isEqualTo(one);
      assertThat(new String(first.body(), UTF_8)).contains("<Prefix>a/</Prefix>");
      HttpResponse<byte[]> second =
          rig.send("GET", page + "&key-marker=b&upload-id-marker=" + one, NONE);
      assertThat(element(second, "UploadId")).isEqualTo(two);
      assertThat(new String(second.body(), UTF_8)).contains("<Key>c</Key>");
      assertThat(element(second, "IsTruncated")).isEqualTo("false");
      HttpResponse<byte[]> behind = rig.send("GET", page + "&key-marker=b", NONE);
      assertThat(new String(behind.body(), UTF_8)).contains("<Key>c<").doesNotContain("<Key>b<");
    }
  }
}
