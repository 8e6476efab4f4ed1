package dev.ron.node.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.kernel.World;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/** Three machines are one; one of them is killed for good, and what was acknowledged is counted. */
final class LostMachine implements Chapter {
  private static final int FILES = 10;
  private static final int MESSAGES = 40;
  private static final String BUCKET = "demo-three";
  private static final String TOPIC = "demo.three";
  private static final Duration FAILOVER_WITHIN = Duration.ofSeconds(90);
  private static final Duration REST = Duration.ofMillis(250);
  private static final Pattern KEY = Pattern.compile("\"idem_key\":\"([^\"]+)\"");

  private final World world;
  private final int port;

  /**
   * @param port of the first machine; the others are a hundred and two hundred on
   */
  LostMachine(World world, int port) {
    this.world = world;
    this.port = port;
  }

  @Override
  public String title() {
    return "Lose a machine of three";
  }

  @Override
  public String watch() {
    return "`ron cluster status`, or Cluster on the dashboard of http://127.0.0.1:" + (port + 10);
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    Instant began = world.time().now();
    try (var three = ThreeMachines.start(node.folder().resolve("three"), port, world.time())) {
      say.line("  three machines are one after %d s", secondsSince(began));
      int files = putAll(three);
      int sent = sendAll(three, "before");
      say.line(
          "  %d files and %d messages acknowledged; machine c is killed for good", files, sent);
      three.kill9("c");
      Instant lost = world.time().now();
      int more = sendAll(three, "after");
      say.line("  written to again; the two that are left took %d s for it", secondsSince(lost));
      int same = readAll(three);
      Set<String> received = receiveAll(three, sent + more);
      return new ChapterResult(
          "%d of %d files the same, %d of %d messages there, %d of them sent to two machines"
              .formatted(same, files, received.size(), sent + more, more),
          files == FILES && same == FILES && received.size() == 2 * MESSAGES);
    }
  }

  private long secondsSince(Instant began) {
    return Duration.between(began, world.time().now()).toSeconds();
  }

  private static byte[] file(int number) {
    var bytes = new byte[100_000];
    Arrays.fill(bytes, (byte) number);
    return bytes;
  }

  private static BucketPath path(int number) {
    return new BucketPath(BUCKET, "file-" + number);
  }

  private int putAll(ThreeMachines three) throws Exception {
    try (BucketClient bucket = three.bucket("b")) {
      patiently(
          () -> {
            if (!bucket.hasBucket(BUCKET)) {
              bucket.createBucket(BUCKET);
            }
            return true;
          });
      for (int i = 0; i < FILES; i++) {
        int number = i;
        patiently(
            () -> {
              bucket.put(path(number), file(number));
              return true;
            });
      }
    }
    return FILES;
  }

  private int readAll(ThreeMachines three) throws Exception {
    int same = 0;
    try (BucketClient bucket = three.bucket("a")) {
      for (int i = 0; i < FILES; i++) {
        int number = i;
        byte[] bytes = patiently(() -> bucket.bytes(path(number), 1 << 20));
        same += Arrays.equals(bytes, file(number)) ? 1 : 0;
      }
    }
    return same;
  }

  private int sendAll(ThreeMachines three, String when) throws Exception {
    for (int i = 0; i < MESSAGES; i++) {
      String form =
          "{\"topic\":\"%s\",\"idem_key\":\"%s-%d\",\"payload_b64\":\"aGk=\"}"
              .formatted(TOPIC, when, i);
      patiently(() -> ok(three.send("b", "/v1/send", form.getBytes(UTF_8))));
    }
    return MESSAGES;
  }

  /** Messages are not acknowledged, so each comes once while the longest lease lasts. */
  private Set<String> receiveAll(ThreeMachines three, int expected) throws Exception {
    Set<String> keys = new HashSet<>();
    Instant end = world.time().now().plus(FAILOVER_WITHIN);
    String ask =
        "{\"topic\":\"%s\",\"visibility_ms\":300000,\"max_messages\":100}".formatted(TOPIC);
    while (keys.size() < expected && world.time().now().isBefore(end)) {
      String got = patiently(() -> ok(three.send("a", "/v1/recv", ask.getBytes(UTF_8))));
      KEY.matcher(got).results().forEach(key -> keys.add(key.group(1)));
    }
    return keys;
  }

  private static String ok(HttpResponse<byte[]> answer) throws IOException {
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + ": " + EpochSum.text(answer));
    }
    return EpochSum.text(answer);
  }

  /** A cluster that has lost a machine answers again once the others have agreed on it. */
  private <T> T patiently(Callable<T> work) throws Exception {
    Instant end = world.time().now().plus(FAILOVER_WITHIN);
    while (true) {
      try {
        return work.call();
      } catch (IOException notYet) {
        if (world.time().now().isAfter(end)) {
          throw notYet;
        }
        world.time().sleepUntil(world.time().now().plus(REST));
      }
    }
  }
}
