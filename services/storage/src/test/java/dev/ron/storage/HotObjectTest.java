package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects that are answered from verified memory: the same answers, and no right that is skipped.
 */
final class HotObjectTest {
  private static final String HITS = "verified_memory_hits_total";

  @TempDir private Path folder;

  @Test
  void anAnswerFromMemoryIsTheAnswerFromTheDisk() throws Exception {
    for (int size : List.of(1, 4096, 65_536, 1_000_000)) {
      byte[] object = bytes(size, size);
      String path = "/o/" + address(object);
      String tag = '"' + address(object).toString() + '"';
      List<String[]> requests =
          List.of(
              new String[] {},
              new String[] {"Range", "bytes=0-0"},
              new String[] {"Range", "bytes=-1"},
              new String[] {"Range", "bytes=%d-".formatted(size / 2)},
              new String[] {"Range", "bytes=" + size + "-"},
              new String[] {"Range", "bytes=0-0,-1"},
              new String[] {"Range", "bytes=0-0", "If-Range", "\"other\""},
              new String[] {"If-None-Match", tag},
              new String[] {"If-None-Match", "\"other\""},
              new String[] {"If-Match", "\"other\""},
              new String[] {"If-Match", tag, "Range", "bytes=0-0"});
      try (Rig cold = Rig.open(folder.resolve("cold" + size), "hot.memory=0B");
          Rig hot = Rig.open(folder.resolve("hot" + size))) {
        cold.put(object);
        warm(hot, object);
        for (String[] request : requests) {
          assertThat(told(hot.get(path, request)))
              .as(List.of(request).toString())
              .isEqualTo(told(cold.get(path, request)));
          assertThat(told(hot.send("HEAD", path, new byte[0], request)))
              .isEqualTo(told(cold.send("HEAD", path, new byte[0], request)));
        }
        assertThat(hot.metricValue(HITS)).isGreaterThanOrEqualTo(requests.size());
        assertThat(cold.metric(HITS)).as("switched off").doesNotContain("1");
      }
    }
  }

  @Test
  void aDeletedObjectIsGoneAtOnceAndComesBackWithItsNextPut() throws Exception {
    byte[] object = bytes(1, 100_000);
    String path = "/o/" + address(object);
    try (Rig rig = Rig.open(folder)) {
      warm(rig, object);
      assertThat(rig.send("DELETE", path, new byte[0]).statusCode()).isEqualTo(204);
      assertThat(rig.get(path).statusCode()).isEqualTo(404);
      warm(rig, object);
      assertThat(rig.get(path).body()).isEqualTo(object);
    }
  }

  @Test
  void damageOnTheDiskDoesNotReachWhatWasVerified() throws Exception {
    byte[] object = bytes(1, 200_000);
    try (Rig rig = Rig.open(folder)) {
      warm(rig, object);
      assertThat(Damager.flipInside(folder, object, 70_000)).isTrue();
      HttpResponse<byte[]> answer = rig.get("/o/" + address(object));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(object);
    }
  }

  @Test
  void damageIsFoundWhenTheAgeIsOver() throws Exception {
    byte[] object = bytes(1, 60_000);
    try (Rig rig = Rig.open(folder, "hot.age=1s")) {
      warm(rig, object);
      assertThat(Damager.flipInside(folder, object, 50)).isTrue();
      Rig.eventually("the damage is found", () -> status(rig, "/o/" + address(object)) == 502);
    }
  }

  @Test
  void theRightToReadIsAskedForBeforeMemory() throws Exception {
    var random = new SplittableRandom(5);
    KeyRing ring = KeyRing.generate(random);
    var verifier = new Verifier(new Trust(ring, new Revocations(Set.of())));
    String token = "Bearer " + new TokenMint(ring, random).mint(List.of()).token();
    byte[] object = bytes(1, 5000);
    String path = "/o/" + address(object);
    try (Rig rig = new Rig(Rig.table(folder, "public_read=false"), new RealDisk(), verifier)) {
      assertThat(rig.send("PUT", path, object, "Authorization", token).statusCode()).isEqualTo(201);
      for (int i = 0; i < 4; i++) {
        assertThat(rig.get(path, "Authorization", token).body()).isEqualTo(object);
        assertThat(rig.get(path).statusCode()).isEqualTo(401);
      }
      assertThat(rig.metricValue(HITS)).isPositive();
    }
  }

  private static void warm(Rig rig, byte[] object) throws Exception {
    String path = "/o/" + address(object);
    rig.put(object);
    double before = rig.metricValue(HITS);
    for (int i = 0; i < 3; i++) {
      assertThat(rig.get(path).body()).isEqualTo(object);
    }
    assertThat(rig.metricValue(HITS)).as("the third read was from memory").isGreaterThan(before);
  }

  /** Status, fields and body, but for the fields that no two answers share. */
  private static String told(HttpResponse<byte[]> answer) {
    Map<String, List<String>> fields = new TreeMap<>(answer.headers().map());
    fields.keySet().removeIf(name -> Set.of("date", "x-corr-id").contains(name));
    String body = answer.statusCode() >= 400 ? "" : Arrays.hashCode(answer.body()) + "";
    if (answer.statusCode() >= 400) {
      fields.remove("content-length"); // the correlation id is in the body
    }
    return answer.statusCode() + " " + fields + " " + body;
  }

  private static int status(Rig rig, String path) {
    try {
      return rig.get(path).statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
