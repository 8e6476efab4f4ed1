package dev.ron.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.content.S3Server;
import dev.ron.testkit.FaultyLink;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cold objects in a bucket of a real S3 server: what goes, what stays, what comes back. */
final class TierTest {
  private static final int SIZE = 100_000;
  private static final int COUNT = 12;

  @TempDir static Path s3Folder;
  private static S3Server s3;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    s3 = new S3Server(s3Folder);
  }

  @AfterAll
  static void stop() throws Exception {
    s3.close();
  }

  @BeforeEach
  void anEmptyBucket() throws Exception {
    s3.nextBucket();
  }

  private Rig open(InetSocketAddress bucket, String... more) throws Exception {
    var settings = new ArrayList<>(settings(s3, bucket));
    settings.addAll(List.of(more));
    return Rig.open(folder, settings.toArray(String[]::new));
  }

  /** A tier to which everything goes at once. */
  static List<String> settings(S3Server s3, InetSocketAddress bucket) {
    return List.of(
        "tier.s3_endpoint=http://127.0.0.1:" + bucket.getPort(),
        "tier.bucket=" + s3.config().bucket(),
        "tier.access_key=" + S3Server.CREDENTIALS.accessKey(),
        "tier.secret_key=" + S3Server.CREDENTIALS.secretKey(),
        "tier.period=50ms",
        "tier.rest=0s");
  }

  private static List<byte[]> objects() {
    return IntStream.range(0, COUNT).mapToObj(i -> Rig.bytes(i, SIZE)).toList();
  }

  private static void putAll(Rig rig) throws Exception {
    for (byte[] object : objects()) {
      assertThat(rig.put(object).statusCode()).isEqualTo(201);
    }
  }

  private static double here(Rig rig) {
    return COUNT - rig.metricValue("tier_moved_total");
  }

  private static void awaitMoved(Rig rig, int count) throws InterruptedException {
    Rig.eventually(count + " moved", () -> rig.metricValue("tier_moved_total") >= count);
  }

  @Test
  void whatIsTooMuchGoesAndEverythingIsReadAsBefore() throws Exception {
    try (Rig rig = open(s3.address(), "tier.keep_bytes=400KB")) {
      putAll(rig);
      awaitMoved(rig, COUNT - 4);
      assertThat(here(rig)).as("no more than that goes").isEqualTo(4);
      assertThat(s3.count("o/")).isEqualTo(COUNT - 4L);
      for (byte[] object : objects()) {
        String path = "/o/" + Rig.address(object);
        assertThat(rig.get(path).body()).isEqualTo(object);
        HttpResponse<byte[]> range = rig.get(path, "Range", "bytes=65530-65549");
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo(Arrays.copyOfRange(object, 65530, 65550));
        assertThat(rig.send("HEAD", path, new byte[0]).headers().firstValue("Content-Length"))
            .hasValue(Integer.toString(SIZE));
        assertThat(rig.get(path + "?proof=bao").statusCode()).isEqualTo(200);
      }
      String listed = Rig.words(rig.get("/o?limit=1000"));
      assertThat(listed.split("\"address\"", -1)).hasSize(COUNT + 1);
    }
    try (Rig again = open(s3.address(), "tier.keep_bytes=400KB")) {
      for (byte[] object : objects()) {
        assertThat(again.get("/o/" + Rig.address(object)).body()).isEqualTo(object);
      }
    }
  }

  @Test
  void whatIsReadLatelyStays() throws Exception {
    try (Rig rig = open(s3.address(), "tier.keep_bytes=1B", "tier.rest=2s")) {
      putAll(rig);
      byte[] hot = objects().getFirst();
      String path = "/o/" + Rig.address(hot);
      Rig.eventually(
          "all others go",
          () -> {
            try {
              return rig.get(path).statusCode() == 200
                  && rig.metricValue("tier_moved_total") == COUNT - 1;
            } catch (Exception failed) {
              throw new AssertionError(failed);
            }
          });
      assertThat(Files.exists(s3.file("o/" + hex(hot)))).as("never sent").isFalse();
    }
  }

  private static String hex(byte[] object) {
    String text = Rig.address(object).toString();
    return text.substring(text.indexOf(':') + 1);
  }

  @Test
  void aDeleteIsFinalWhereverTheObjectWas() throws Exception {
    try (Rig rig = open(s3.address(), "tier.keep_bytes=400KB")) {
      putAll(rig);
      awaitMoved(rig, COUNT - 4);
      for (byte[] object : objects()) {
        String path = "/o/" + Rig.address(object);
        Rig.eventually("it is deleted", () -> status(rig, "DELETE", path) / 100 == 2);
        assertThat(rig.get(path).statusCode()).isEqualTo(404);
      }
      assertThat(s3.count("o/")).isZero();
      assertThat(status(rig, "DELETE", "/o/" + Rig.address(objects().getFirst()))).isEqualTo(404);
    }
  }

  private static int status(Rig rig, String method, String path) {
    try {
      return rig.send(method, path, new byte[0]).statusCode();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void aBucketThatIsAwayTakesNothingFromTheDisks() throws Exception {
    try (var link = new FaultyLink(s3.address());
        Rig rig = open(link.address(), "tier.keep_bytes=400KB")) {
      putAll(rig);
      awaitMoved(rig, COUNT - 4);
      link.cut();
      byte[] fresh = Rig.bytes(99, SIZE);
      assertThat(rig.put(fresh).statusCode()).as("writes go on").isEqualTo(201);
      assertThat(rig.get("/o/" + Rig.address(fresh)).body()).isEqualTo(fresh);
      int cold = 0;
      for (byte[] object : objects()) {
        HttpResponse<byte[]> answer = rig.get("/o/" + Rig.address(object));
        if (answer.statusCode() == 200) {
          assertThat(answer.body()).isEqualTo(object);
        } else {
          assertThat(answer.statusCode()).as(Rig.words(answer)).isEqualTo(503);
          assertThat(Rig.words(answer)).contains("the bucket cannot be asked");
          cold++;
        }
      }
      assertThat(cold).isEqualTo(COUNT - 4);
      assertThat(rig.get("/o").statusCode()).as("a list would lack some").isEqualTo(503);
      assertThat(status(rig, "DELETE", "/o/" + Rig.address(fresh))).isEqualTo(503);
      assertThat(rig.get("/o/" + Rig.address(fresh)).statusCode()).isEqualTo(200);
      assertThat(rig.metricValue("tier_moved_total")).isEqualTo(COUNT - 4);
      link.heal();
      Rig.eventually(
          "it goes on",
          () ->
              objects().stream()
                  .allMatch(each -> status(rig, "GET", "/o/" + Rig.address(each)) == 200));
    }
  }

  @Test
  void aWrongByteInTheBucketIsNotHandedOut() throws Exception {
    try (Rig rig = open(s3.address(), "tier.keep_bytes=1B")) {
      byte[] object = objects().getFirst();
      Address address = Rig.address(object);
      rig.put(object);
      awaitMoved(rig, 1);
      try (var file = new RandomAccessFile(s3.file("o/" + hex(object)).toFile(), "rw")) {
        file.seek(10);
        int was = file.read();
        file.seek(10);
        file.write(was ^ 1);
      }
      assertThat(rig.get("/o/" + address).statusCode()).isEqualTo(502);
      assertThat(rig.put(object).statusCode()).as("written again").isEqualTo(201);
      Rig.eventually("it is mended there too", () -> s3Has(object));
      assertThat(rig.get("/o/" + address).body()).isEqualTo(object);
    }
  }

  private static boolean s3Has(byte[] object) {
    try {
      return Arrays.equals(Files.readAllBytes(s3.file("o/" + hex(object))), object);
    } catch (java.io.IOException beingWritten) {
      return false;
    }
  }
}
