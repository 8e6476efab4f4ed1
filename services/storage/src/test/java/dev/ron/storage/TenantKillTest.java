package dev.ron.storage;

import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL while tenants store and delete the same objects: each has what it was told it has, and
 * not what it gave up.
 */
final class TenantKillTest {
  private static final List<String> TENANTS = List.of("acme", "evil", "default");
  private static final int OBJECTS = 12;
  private static final int LOAD = 60;

  @TempDir private Path folder;

  private record Held(String tenant, int object) {}

  /** What a tenant was told: true if it is there. What it was not told is not in it. */
  private final Map<Held, Boolean> told = new ConcurrentHashMap<>();

  private final Set<String> contradictions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger answers = new AtomicInteger();

  @Test
  @Tag("long")
  @Timeout(180)
  void everyTenantHasWhatItWasToldAfterTwoKills() throws Exception {
    killAndCompare(2, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void everyTenantHasWhatItWasToldAfterFiftyKills() throws Exception {
    killAndCompare(50, Long.getLong("ron.seed", 2));
  }

  private static byte[] object(int number) {
    return bytes(number, number % 4 == 0 ? 150_000 : 700 + number);
  }

  private ChildJvm start() throws Exception {
    return ChildJvm.start(KilledMain.class, folder.toString(), "public_read=false");
  }

  private void killAndCompare(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < rounds; round++) {
      try (ChildJvm child = start();
          HttpClient http = HttpClient.newHttpClient()) {
        int port = Integer.parseInt(child.line());
        compare(http, port, "round %d of seed %d".formatted(round, seed));
        var threads = new ArrayList<Thread>();
        for (String tenant : TENANTS) {
          var mine = new SplittableRandom(random.nextLong());
          var client = new KillClient(http, port, "?tenant=" + tenant);
          threads.add(Thread.ofVirtual().start(() -> load(client, tenant, mine)));
        }
        int before = answers.get();
        Rig.eventually("the load is on", () -> answers.get() > before + LOAD);
        var time = new SystemTime();
        time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(200))));
        child.kill9();
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertThat(contradictions).as("round %d of seed %d", round, seed).isEmpty();
    }
    try (ChildJvm child = start();
        HttpClient http = HttpClient.newHttpClient()) {
      compare(http, Integer.parseInt(child.line()), "the end of seed " + seed);
      child.kill9();
    }
    assertThat(told).as("there was load").hasSizeGreaterThan(OBJECTS);
  }

  private void compare(HttpClient http, int port, String when) throws Exception {
    for (String tenant : TENANTS) {
      var client = new KillClient(http, port, "?tenant=" + tenant);
      for (int i = 0; i < OBJECTS; i++) {
        Boolean there = told.get(new Held(tenant, i));
        if (there != null) {
          assertThat(client.read(object(i)))
              .as("%s: object %d of %s", when, i, tenant)
              .isEqualTo(there ? 200 : 404);
        }
      }
    }
  }

  private void load(KillClient client, String tenant, RandomGenerator random) {
    try {
      while (true) {
        int number = random.nextInt(OBJECTS);
        var held = new Held(tenant, number);
        Boolean there = told.get(held);
        byte[] object = object(number);
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            told.remove(held);
            if (client.delete(object)) {
              told.put(held, false);
            }
          }
          case 2 -> {
            if (there != null && (client.read(object) == 200) != there) {
              contradictions.add("%s was told %s of object %d".formatted(tenant, there, number));
            }
          }
          default -> {
            told.remove(held);
            if (random.nextInt(6) == 0 ? client.upload(object) : client.put(object)) {
              told.put(held, true);
            }
          }
        }
        answers.incrementAndGet();
      }
    } catch (Exception killed) {
      // What was under way is unknown, and out of the ledger.
    }
  }
}
