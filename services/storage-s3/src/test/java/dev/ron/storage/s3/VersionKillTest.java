package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.TornWrite;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * SIGKILL in a bucket that keeps versions and locks them: each key has exactly the versions that
 * were acknowledged, in their order, with their bytes and locks, give or take the one change that
 * was under way.
 */
final class VersionKillTest {
  private static final int WRITERS = 4;
  private static final int LOAD = 60;
  private static final int VERSIONS_MAX = 8;
  private static final long MARKER = -1;
  private static final String UNKNOWN = "";

  /** Longer than any run; nothing deletes such a version. */
  private static final String FAR = "2099-01-01T00:00:00Z";

  private static final List<String> QUICK =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");

  @TempDir private Path folder;

  /**
   * @param id {@link #UNKNOWN} of one that was not acknowledged
   * @param seed of its bytes, or {@link #MARKER}
   * @param hold whether a legal hold is on it
   * @param retained whether it is locked for good
   */
  private record Version(String id, long seed, boolean hold, boolean retained) {
    boolean isLocked() {
      return hold || retained;
    }
  }

  /** The versions of a key, the newest first: as acknowledged, and if the last change was made. */
  private record Ledger(List<Version> known, Optional<List<Version>> ifDone) {
    static Ledger of(List<Version> known) {
      return new Ledger(List.copyOf(known), Optional.empty());
    }
  }

  private final Map<String, Ledger> ledgers = new ConcurrentHashMap<>();
  private final Set<String> contradictions = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Integer> answers = new ConcurrentHashMap<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong seeds = new AtomicLong();

  @Test
  @Timeout(300)
  void versionsAndLocksAreAsAcknowledgedAfterTwoKills() throws Exception {
    killAndCompare(2, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void versionsAndLocksAreAsAcknowledgedAfterThirtyKills() throws Exception {
    killAndCompare(30, Long.getLong("ron.seed", 2));
  }

  private void killAndCompare(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round <= rounds; round++) {
      try (ChildJvm child = ChildJvm.start(QUICK, KilledDoorMain.class, folder.toString());
          HttpClient http = HttpClient.newHttpClient()) {
        var client = new DoorClient(http, Integer.parseInt(child.line()));
        if (round == 0) {
          assertThat(client.put("/locked", new byte[0], "x-amz-bucket-object-lock-enabled", "true"))
              .isEqualTo(200);
        }
        for (String key : Set.copyOf(ledgers.keySet())) {
          compare(client, key);
        }
        assertThat(contradictions).as("round %d of seed %d", round, seed).isEmpty();
        if (round < rounds) {
          loadAndKill(child, client, random);
        }
      }
    }
  }

  private void loadAndKill(ChildJvm child, DoorClient client, RandomGenerator random)
      throws Exception {
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String key = "/locked/key-" + i;
      var mine = new SplittableRandom(random.nextLong());
      writers.add(Thread.ofVirtual().start(() -> write(client, key, mine)));
    }
    long before = acknowledged.get();
    try {
      DoorRig.eventually("the load is on", () -> acknowledged.get() > before + LOAD);
    } catch (AssertionError never) {
      throw new AssertionError(contradictions + ", answers " + answers, never);
    }
    var time = new SystemTime();
    time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(800))));
    child.kill9();
    for (Thread writer : writers) {
      writer.join();
    }
    if (random.nextInt(3) > 0) {
      TornWrite.leave(folder.resolve("s3/names/journal"), random);
    }
  }

  private void write(DoorClient client, String key, RandomGenerator random) {
    try {
      while (contradictions.isEmpty()) {
        List<Version> known = ledgers.computeIfAbsent(key, _ -> Ledger.of(List.of())).known();
        boolean full = known.size() >= VERSIONS_MAX;
        switch (known.isEmpty() ? 0 : random.nextInt(full ? 5 : 9)) {
          case 0 -> mark(client, key, known);
          case 1, 2, 3 -> delete(client, key, known, any(known, random));
          case 4 -> hold(client, key, known, any(known, random));
          case 5 -> copy(client, key, known, any(known, random));
          default -> put(client, key, known, random);
        }
      }
    } catch (Exception killed) {
      // What was under way is in the ledger.
      answers.merge(0, 1, Integer::sum);
    }
  }

  private static Version any(List<Version> known, RandomGenerator random) {
    return known.get(random.nextInt(known.size()));
  }

  private static byte[] bytes(long seed) {
    var random = new SplittableRandom(seed);
    byte[] bytes = new byte[random.nextInt(1, seed % 2 == 0 ? 2000 : 20_000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<Version> with(Version first, List<Version> known) {
    var versions = new ArrayList<>(known);
    versions.addFirst(first);
    return versions;
  }

  private void put(DoorClient client, String key, List<Version> known, RandomGenerator random)
      throws Exception {
    long seed = seeds.incrementAndGet();
    boolean retained = random.nextInt(8) == 0 && known.stream().noneMatch(Version::retained);
    boolean hold = random.nextInt(4) == 0;
    var fields = new ArrayList<String>();
    if (retained) {
      fields.addAll(
          List.of(
              "x-amz-object-lock-mode", "COMPLIANCE", "x-amz-object-lock-retain-until-date", FAR));
    }
    if (hold) {
      fields.addAll(List.of("x-amz-object-lock-legal-hold", "ON"));
    }
    if (!fields.isEmpty()) {
      fields.addAll(List.of("content-md5", md5(bytes(seed))));
    }
    var made = new Version(UNKNOWN, seed, hold, retained);
    change(
        key,
        known,
        with(made, known),
        () -> client.send("PUT", key, bytes(seed), fields.toArray(String[]::new)));
  }

  private static String md5(byte[] bytes) throws Exception {
    return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
  }

  private void copy(DoorClient client, String key, List<Version> known, Version source)
      throws Exception {
    if (source.seed() == MARKER) {
      return;
    }
    String from = key + "?versionId=" + source.id();
    change(
        key,
        known,
        with(new Version(UNKNOWN, source.seed(), false, false), known),
        () ->
            client.send(
                "PUT",
                key,
                new byte[0],
                "x-amz-copy-source",
                from,
                "x-amz-metadata-directive",
                "REPLACE"));
  }

  private void mark(DoorClient client, String key, List<Version> known) throws Exception {
    change(
        key,
        known,
        with(new Version(UNKNOWN, MARKER, false, false), known),
        () -> client.send("DELETE", key, new byte[0]));
  }

  private void delete(DoorClient client, String key, List<Version> known, Version version)
      throws Exception {
    var left = new ArrayList<>(known);
    left.remove(version);
    int status =
        change(
            key,
            known,
            version.isLocked() ? known : left,
            () -> client.send("DELETE", key + "?versionId=" + version.id(), new byte[0]));
    if (status != 503 && (status == 403) != version.isLocked()) {
      contradictions.add("%s: a delete of %s answered %d".formatted(key, version, status));
    }
  }

  private void hold(DoorClient client, String key, List<Version> known, Version version)
      throws Exception {
    if (version.seed() == MARKER) {
      return;
    }
    var turned = new Version(version.id(), version.seed(), !version.hold(), version.retained());
    var after = new ArrayList<>(known);
    after.set(known.indexOf(version), turned);
    byte[] document =
        "<LegalHold><Status>%s</Status></LegalHold>"
            .formatted(turned.hold() ? "ON" : "OFF")
            .getBytes(UTF_8);
    change(
        key,
        known,
        after,
        () ->
            client.send(
                "PUT",
                key + "?legal-hold&versionId=" + version.id(),
                document,
                "content-md5",
                md5(document)));
  }

  private interface Sent {
    HttpResponse<byte[]> answer() throws Exception;
  }

  /** Notes what may come of a change before it is asked for, and what came of it after. */
  private int change(String key, List<Version> known, List<Version> ifDone, Sent sent)
      throws Exception {
    ledgers.put(key, new Ledger(known, Optional.of(List.copyOf(ifDone))));
    HttpResponse<byte[]> answer = sent.answer();
    int status = answer.statusCode();
    answers.merge(status, 1, Integer::sum);
    if (status == 200 || status == 204) {
      String id = answer.headers().firstValue("x-amz-version-id").orElse(UNKNOWN);
      ledgers.put(key, Ledger.of(ifDone.stream().map(each -> named(each, id)).toList()));
      acknowledged.incrementAndGet();
    } else {
      ledgers.put(key, Ledger.of(known));
      if (status != 403 && status != 503) {
        contradictions.add("%s: %d %s".formatted(key, status, DoorClient.text(answer)));
      }
    }
    return status;
  }

  private static Version named(Version version, String id) {
    return version.id().equals(UNKNOWN)
        ? new Version(id, version.seed(), version.hold(), version.retained())
        : version;
  }

  /** What is there must be one of what may be, and is what is known from then on. */
  private void compare(DoorClient client, String key) throws Exception {
    List<String> ids =
        DoorClient.all(
            DoorClient.text(client.get("/locked?versions&prefix=" + key.substring(8))),
            "<VersionId>([^<]*)</VersionId>");
    Ledger ledger = ledgers.get(key);
    List<List<Version>> candidates = new ArrayList<>(List.of(ledger.known()));
    ledger.ifDone().ifPresent(candidates::add);
    for (List<Version> candidate : candidates) {
      Optional<List<Version>> same = same(client, key, candidate, ids);
      if (same.isPresent()) {
        ledgers.put(key, Ledger.of(same.get()));
        return;
      }
    }
    contradictions.add("%s has %s, not one of %s".formatted(key, ids, candidates));
  }

  private static Optional<List<Version>> same(
      DoorClient client, String key, List<Version> candidate, List<String> ids) throws Exception {
    if (candidate.size() != ids.size()) {
      return Optional.empty();
    }
    var found = new ArrayList<Version>();
    for (int i = 0; i < ids.size(); i++) {
      Version version = named(candidate.get(i), ids.get(i));
      if (!version.id().equals(ids.get(i)) || !isThere(client, key, version)) {
        return Optional.empty();
      }
      found.add(version);
    }
    return Optional.of(found);
  }

  private static boolean isThere(DoorClient client, String key, Version version) throws Exception {
    HttpResponse<byte[]> read = client.get(key + "?versionId=" + version.id());
    if (version.seed() == MARKER) {
      return read.statusCode() == 405;
    }
    return read.statusCode() == 200
        && Arrays.equals(read.body(), bytes(version.seed()))
        && read.headers().firstValue("x-amz-object-lock-legal-hold").isPresent() == version.hold()
        && read.headers().firstValue("x-amz-object-lock-mode").isPresent() == version.retained();
  }
}
