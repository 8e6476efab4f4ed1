package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.S3Server;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments under load: what was acknowledged is there, whole; what was not is
 * there whole or not at all.
 */
final class KillTest {
  private static final int CLIENTS = 6;

  /** Objects that are stored before the kill may come: a fresh JVM takes its time. */
  private static final int LOAD = 15;

  @TempDir private Path folder;

  /** What clients were told. */
  private final Map<Long, Integer> acknowledged = new ConcurrentHashMap<>();

  private final Set<Long> deleteAsked = ConcurrentHashMap.newKeySet();
  private final Set<Long> deleted = ConcurrentHashMap.newKeySet();
  private final Set<String> contradictions = ConcurrentHashMap.newKeySet();

  /** What the killed one is told besides its folder. */
  private List<String> settings = List.of();

  @Test
  @Timeout(180)
  void theLedgerBalancesAfterTwoKills() throws Exception {
    killAndBalance(2, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void theLedgerBalancesAfterAHundredKills() throws Exception {
    killAndBalance(100, Long.getLong("ron.seed", 2));
  }

  @Test
  @Tag("long")
  @Timeout(180)
  void theLedgerBalancesWhileColdObjectsMoveAway(@TempDir Path bucket) throws Exception {
    killAndBalanceTiered(2, Long.getLong("ron.seed", 3), bucket);
  }

  @Test
  @Tag("long")
  void theLedgerBalancesAfterFiftyKillsWhileColdObjectsMoveAway(@TempDir Path bucket)
      throws Exception {
    killAndBalanceTiered(50, Long.getLong("ron.seed", 4), bucket);
  }

  private void killAndBalanceTiered(int rounds, long seed, Path bucket) throws Exception {
    try (var s3 = new S3Server(bucket)) {
      var tiered = new ArrayList<>(TierTest.settings(s3, s3.address()));
      tiered.add("tier.keep_bytes=1B");
      settings = tiered;
      killAndBalance(rounds, seed);
      assertThat(s3.count("o/")).as("some went to the bucket").isPositive();
    }
  }

  private void killAndBalance(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < rounds; round++) {
      loadAndKill(round, random);
      assertThat(contradictions).as("round %d of seed %d", round, seed).isEmpty();
    }
    try (ChildJvm child = start();
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new KillClient(http, Integer.parseInt(child.line()));
      for (Map.Entry<Long, Integer> object : acknowledged.entrySet()) {
        byte[] expected = bytes(object.getKey(), object.getValue());
        int status = client.read(expected);
        if (deleted.contains(object.getKey())) {
          assertThat(status).as("deleted, seed %d", seed).isEqualTo(404);
        } else if (!deleteAsked.contains(object.getKey())) {
          assertThat(status).as("object %s of seed %d", address(expected), seed).isEqualTo(200);
        }
      }
      child.kill9();
    }
    assertThat(acknowledged).as("there was load").hasSizeGreaterThan(rounds * 10);
    assertThat(deleted).as("there were deletes").hasSizeGreaterThan(rounds);
  }

  private ChildJvm start() throws IOException {
    var args = new ArrayList<>(List.of(folder.toString()));
    args.addAll(settings);
    return ChildJvm.start(KilledMain.class, args.toArray(String[]::new));
  }

  private void loadAndKill(int round, RandomGenerator random) throws Exception {
    try (ChildJvm child = start();
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        long first = (round * 100L + i) << 32;
        var mine = new SplittableRandom(random.nextLong());
        clients.add(Thread.ofVirtual().start(() -> load(new KillClient(http, port), first, mine)));
      }
      int before = acknowledged.size();
      Rig.eventually("the load is on", () -> acknowledged.size() > before + LOAD);
      var time = new SystemTime();
      time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(300))));
      child.kill9();
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  private void load(KillClient client, long first, RandomGenerator random) {
    var mine = new ArrayList<Long>();
    try {
      for (long id = first; ; id++) {
        int size = random.nextInt(4) == 0 ? 70_000 + random.nextInt(600_000) : random.nextInt(5000);
        byte[] object = bytes(id, size);
        boolean inParts = random.nextInt(8) == 0;
        if (inParts ? client.upload(object) : client.put(object)) {
          acknowledged.put(id, size);
          mine.add(id);
        }
        if (!mine.isEmpty() && random.nextInt(3) == 0) {
          look(client, mine.get(random.nextInt(mine.size())), random);
        }
      }
    } catch (Exception killed) {
      // what was under way is unknown and stays out of the ledger
    }
  }

  private void look(KillClient client, long id, RandomGenerator random) throws Exception {
    byte[] object = bytes(id, acknowledged.get(id));
    if (random.nextInt(3) == 0) {
      deleteAsked.add(id);
      if (client.delete(object)) {
        deleted.add(id);
      }
    } else if (!deleteAsked.contains(id) && client.read(object) != 200) {
      contradictions.add("acknowledged and not there: " + address(object));
    }
  }
}
