package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.TornWrite;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments under load, often with a torn tail of the log: every key has what was
 * acknowledged last, or what was under way when the process died. Blocks are collected all the
 * time, a second after their last name, so a block that was taken from under a name shows as a key
 * that cannot be read.
 */
final class DoorKillTest {
  private static final int WRITERS = 5;
  private static final int KEYS = 4;
  private static final int LOAD = 40;
  private static final long ABSENT = -1;
  private static final List<String> QUICK =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");

  @TempDir private Path folder;

  /** What each key may have now: the seed of its bytes, or {@link #ABSENT}. */
  private final Map<String, Set<Long>> possible = new ConcurrentHashMap<>();

  private final Set<String> contradictions = ConcurrentHashMap.newKeySet();

  /** Why writers stopped. */
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** How often each status was answered. */
  private final Map<Integer, Integer> answers = new ConcurrentHashMap<>();

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong seeds = new AtomicLong();

  @Test
  @Timeout(300)
  void whatWasAcknowledgedIsThereAfterThreeKills() throws Exception {
    killAndCompare(3, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void whatWasAcknowledgedIsThereAfterFortyKills() throws Exception {
    killAndCompare(40, Long.getLong("ron.seed", 2));
  }

  private void killAndCompare(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round <= rounds; round++) {
      try (ChildJvm child = ChildJvm.start(QUICK, KilledDoorMain.class, folder.toString());
          HttpClient http = HttpClient.newHttpClient()) {
        var client = new DoorClient(http, Integer.parseInt(child.line()));
        if (round == 0) {
          assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
        }
        for (String key : Set.copyOf(possible.keySet())) {
          look(client, key);
        }
        assertThat(contradictions).as("round %d of seed %d", round, seed).isEmpty();
        if (round < rounds) {
          loadAndKill(child, client, random);
        }
      }
    }
    assertThat(contradictions).as("seed %d", seed).isEmpty();
    deleteAndCompare();
  }

  /** Once all names are gone, every block is: none was lost count of in a kill. */
  private void deleteAndCompare() throws Exception {
    try (var rig = KilledDoorMain.rig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      for (String key : possible.keySet()) {
        assertThat(client.delete(key)).isEqualTo(204);
      }
      String uploads = DoorClient.text(client.get("/bucket?uploads"));
      List<String> ids = DoorClient.all(uploads, "<UploadId>([^<]*)</UploadId>");
      List<String> keys = DoorClient.all(uploads, "<Key>([^<]*)</Key>");
      for (int i = 0; i < ids.size(); i++) {
        assertThat(client.delete("/bucket/" + keys.get(i) + "?uploadId=" + ids.get(i)))
            .isEqualTo(204);
      }
      DoorRig.eventually("no block is left", () -> rig.blocks() == 0);
    }
  }

  private void loadAndKill(ChildJvm child, DoorClient client, RandomGenerator random)
      throws Exception {
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String prefix = "/bucket/writer-" + i + "/key-";
      var mine = new SplittableRandom(random.nextLong());
      writers.add(Thread.ofVirtual().start(() -> write(client, prefix, mine)));
    }
    long before = acknowledged.get();
    try {
      DoorRig.eventually("the load is on", () -> acknowledged.get() > before + LOAD);
    } catch (AssertionError never) {
      String met = "%s %s, answers %s".formatted(contradictions, ended, answers);
      throw new AssertionError(met, never);
    }
    var time = new SystemTime();
    time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(1500))));
    child.kill9();
    for (Thread writer : writers) {
      writer.join();
    }
    if (random.nextInt(3) > 0) {
      TornWrite.leave(folder.resolve("s3/names/journal"), random);
    }
  }

  private void write(DoorClient client, String prefix, RandomGenerator random) {
    try {
      while (contradictions.isEmpty()) {
        String key = prefix + random.nextInt(KEYS);
        switch (random.nextInt(9)) {
          case 0 -> delete(client, key);
          case 1 -> putIfAbsent(client, key);
          case 2 -> put(client, key, true);
          case 3 -> look(client, key);
          case 4, 5 -> copy(client, prefix + random.nextInt(KEYS), key);
          case 6 -> list(client, prefix);
          default -> put(client, key, false);
        }
      }
    } catch (Exception | AssertionError killed) {
      // What was under way may have happened or not, and the ledger says so.
      ended.add(killed.toString());
    }
  }

  private static byte[] bytes(long seed) {
    var random = new SplittableRandom(seed);
    // Every third shares its bytes with others, so that blocks are shared, dropped and found again.
    var content = new SplittableRandom(seed % 3 == 0 ? seed % 5 : seed);
    byte[] bytes = new byte[seed % 3 == 0 ? 6000 : random.nextInt(1, 300_000)];
    content.nextBytes(bytes);
    return bytes;
  }

  private Set<Long> of(String key) {
    return possible.computeIfAbsent(key, _ -> new HashSet<>(Set.of(ABSENT)));
  }

  private void put(DoorClient client, String key, boolean inParts) throws Exception {
    long seed = seeds.incrementAndGet();
    of(key).add(seed);
    int status = inParts ? client.upload(key, bytes(seed)) : client.put(key, bytes(seed));
    if (answered(status) == 200) {
      settled(key, seed);
    }
  }

  private int answered(int status) {
    answers.merge(status, 1, Integer::sum);
    return status;
  }

  /** Looks first, so that it is known what is copied: the keys are this writer's own. */
  private void copy(DoorClient client, String source, String key) throws Exception {
    look(client, source);
    if (source.equals(key) || of(source).size() > 1 || of(source).contains(ABSENT)) {
      return;
    }
    long seed = of(source).iterator().next();
    of(key).add(seed);
    if (answered(client.copy(source, key)) == 200) {
      settled(key, seed);
    }
  }

  /** A list has what is there for certain, and nothing that is certainly not. */
  private void list(DoorClient client, String prefix) throws Exception {
    HttpResponse<byte[]> answer =
        client.get("/bucket?list-type=2&prefix=" + prefix.substring("/bucket/".length()));
    if (answered(answer.statusCode()) != 200) {
      return;
    }
    Set<String> listed =
        Set.copyOf(DoorClient.all(DoorClient.text(answer), "<Contents><Key>([^<]*)</Key>"));
    for (int i = 0; i < KEYS; i++) {
      Set<Long> possibly = of(prefix + i);
      boolean there = listed.contains((prefix + i).substring("/bucket/".length()));
      if (there ? possibly.equals(Set.of(ABSENT)) : !possibly.contains(ABSENT)) {
        contradictions.add(
            "%s%d is %slisted: %s".formatted(prefix, i, there ? "" : "not ", possibly));
      }
    }
  }

  private void putIfAbsent(DoorClient client, String key) throws Exception {
    boolean couldBeAbsent = of(key).contains(ABSENT);
    Set<Long> before = new HashSet<>(of(key));
    long seed = seeds.incrementAndGet();
    of(key).add(seed);
    int status = answered(client.put(key, bytes(seed), "if-none-match", "*"));
    if (status == 200) {
      if (!couldBeAbsent) {
        contradictions.add("made though it was there: " + key);
      }
      settled(key, seed);
    } else if (status == 412) {
      before.remove(ABSENT);
      if (before.isEmpty()) {
        contradictions.add("not made though it was absent: " + key);
      }
      possible.put(key, before);
    }
  }

  private void delete(DoorClient client, String key) throws Exception {
    of(key).add(ABSENT);
    if (answered(client.delete(key)) == 204) {
      settled(key, ABSENT);
    }
  }

  private void settled(String key, long seed) {
    possible.put(key, new HashSet<>(Set.of(seed)));
    acknowledged.incrementAndGet();
  }

  /** Reads a key, which must have one of what it may have, whole. */
  private void look(DoorClient client, String key) throws Exception {
    HttpResponse<byte[]> read = client.get(key);
    if (answered(read.statusCode()) == 503) {
      return;
    }
    for (long seed : Set.copyOf(of(key))) {
      boolean same =
          seed == ABSENT
              ? read.statusCode() == 404
              : read.statusCode() == 200 && Arrays.equals(read.body(), bytes(seed));
      if (same) {
        possible.put(key, new HashSet<>(Set.of(seed)));
        return;
      }
    }
    contradictions.add(
        "%s: %d and %d bytes, not one of %s"
            .formatted(key, read.statusCode(), read.body().length, of(key)));
  }
}
