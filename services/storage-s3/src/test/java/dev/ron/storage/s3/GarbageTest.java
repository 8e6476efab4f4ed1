package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that no name leads to go; bytes that a name leads to never do. */
final class GarbageTest {
  private static final int WRITERS = 6;
  private static final int STEPS = 120;

  /** Few contents, so that almost every put finds its block there, dying or gone. */
  private static final int CONTENTS = 3;

  @TempDir private Path folder;

  private static byte[] content(int number) {
    byte[] bytes = new byte[9000];
    new SplittableRandom(number).nextBytes(bytes);
    return bytes;
  }

  @Test
  @Timeout(120)
  void sharedContentIsReadWhileItIsCollectedAllTheTime() throws Exception {
    Set<String> wrong = ConcurrentHashMap.newKeySet();
    try (var rig = rig("0s");
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String key = "/bucket/key-" + i;
        var random = new SplittableRandom(i);
        writers.add(Thread.ofVirtual().start(() -> write(client, key, random, wrong)));
      }
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(wrong).isEmpty();
      for (int i = 0; i < WRITERS; i++) {
        assertThat(client.delete("/bucket/key-" + i)).isEqualTo(204);
      }
      DoorRig.eventually("no block is left", () -> rig.blocks() == 0);
      assertThat(rig.drain().clean()).isTrue();
    }
  }

  private static void write(
      DoorClient client, String key, RandomGenerator random, Set<String> wrong) {
    try {
      for (int step = 0; step < STEPS; step++) {
        int number = random.nextInt(CONTENTS);
        boolean parts = random.nextInt(6) == 0;
        byte[] body = content(number);
        int status = parts ? client.upload(key, body) : client.put(key, body);
        if (status != 200) {
          wrong.add("put of %s: %d".formatted(key, status));
        }
        // The key is this writer's own, so what it has just put is there until it says otherwise.
        HttpResponse<byte[]> read = client.get(key);
        if (read.statusCode() != 200 || !Arrays.equals(read.body(), body)) {
          wrong.add("get of %s: %d %s".formatted(key, read.statusCode(), DoorClient.text(read)));
        }
        if (random.nextInt(3) == 0 && client.delete(key) != 204) {
          wrong.add("delete of " + key);
        }
      }
    } catch (Exception failed) {
      wrong.add(key + ": " + failed);
    }
  }

  @Test
  @Timeout(60)
  void aBlockWhoseRequestFailedIsCollected() throws Exception {
    try (var rig = rig("200ms");
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
      assertThat(client.put("/bucket/kept", content(1))).isEqualTo(200);
      assertThat(client.put("/bucket/lost", content(2), "content-md5", "AAAAAAAAAAAAAAAAAAAAAA=="))
          .isEqualTo(400);
      DoorRig.eventually("one block is left", () -> rig.blocks() == 1);
      assertThat(client.get("/bucket/kept").body()).isEqualTo(content(1));
    }
  }

  private DoorRig rig(String grace) throws Exception {
    return new DoorRig(
        folder,
        "s3.garbage.grace=" + grace,
        "s3.garbage.period=100ms",
        "durability.delete_grace=0s");
  }
}
