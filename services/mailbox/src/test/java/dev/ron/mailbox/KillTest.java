package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.TornWrite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments under load, often with a torn tail: the ledger of acknowledged
 * operations balances.
 */
final class KillTest {
  private static final int CLIENTS = 6;

  /** The specification's bound. */
  private static final int REORDER_DEPTH_MAX = 32;

  private static final Pattern REORDERED =
      Pattern.compile("(?m)^reorder_depth_max\\{.*} ([0-9.]+)$");

  private static final Duration FIRST_ANSWER_LIMIT = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @Test
  void theLedgerBalancesAfterFourKills() throws Exception {
    killAndBalance(4, Long.getLong("ron.seed", 1), false);
  }

  @Test
  @Tag("long")
  void theLedgerBalancesWhenEachStartHasAnotherNumberOfShards() throws Exception {
    killAndBalance(3, Long.getLong("ron.seed", 3), true);
  }

  @Test
  @Tag("long")
  void theLedgerBalancesAfterSixtyChangesOfTheShards() throws Exception {
    killAndBalance(60, Long.getLong("ron.seed", 4), true);
  }

  @Test
  @Tag("long")
  void theLedgerBalancesAfterTwoHundredKills() throws Exception {
    killAndBalance(200, Long.getLong("ron.seed", 2), false);
  }

  private void killAndBalance(int rounds, long seed, boolean changing) throws Exception {
    var random = new SplittableRandom(seed);
    var ledger = new Ledger();
    for (int round = 0; round < rounds; round++) {
      loadAndKill(round, ledger, random, shards(changing, random));
      if (random.nextInt(3) > 0) {
        TornWrite.leave(folder.resolve("journal"), random);
      }
      assertThat(ledger.contradictions).as("round %d of seed %d", round, seed).isEmpty();
    }
    String last = shards(changing, random);
    try (ChildJvm child = ChildJvm.start(KilledMain.class, folder.toString(), last);
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      assertThat(ledger.balance(LoadClient.everything(http, port)))
          .as("seed %d, %d sends, %d acks", seed, ledger.sent.size(), ledger.acked.size())
          .isEmpty();
      child.kill9();
    }
    assertThat(ledger.sent.size())
        .as("there was load; refused were %s", ledger.refusals)
        .isGreaterThan(rounds * 3);
    assertThat(ledger.order.depthMax())
        .as("how far one of %d messages was overtaken, as clients saw it", ledger.order.size())
        .isLessThanOrEqualTo(REORDER_DEPTH_MAX);
    System.out.printf(
        "kill loop: %d rounds, %d sends, %d acks, %d messages seen, reorder depth %d%n",
        rounds,
        ledger.sent.size(),
        ledger.acked.size(),
        ledger.order.size(),
        ledger.order.depthMax());
    assertThat(ledger.acked.size()).as("there were acks").isGreaterThan(rounds / 2);
  }

  private static String shards(boolean changing, RandomGenerator random) {
    return Integer.toString(changing ? 1 + random.nextInt(8) : 8);
  }

  private void loadAndKill(int round, Ledger ledger, RandomGenerator random, String shards)
      throws Exception {
    try (ChildJvm child = ChildJvm.start(KilledMain.class, folder.toString(), shards);
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      LoadClient.sendAgain(http, port, ledger, "r%d-".formatted(round - 1));
      int before = ledger.sent.size();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        var each =
            new LoadClient(
                http,
                port,
                "r%d-c%d".formatted(round, i),
                ledger,
                new SplittableRandom(random.nextLong()));
        clients.add(Thread.ofVirtual().start(each));
      }
      var time = new SystemTime();
      // Counted from the first answer, which on a busy machine takes its time.
      Instant limit = time.now().plus(FIRST_ANSWER_LIMIT);
      while (ledger.sent.size() == before && time.now().isBefore(limit)) {
        time.sleepUntil(time.now().plus(Duration.ofMillis(2)));
      }
      time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(600))));
      assertThat(reorderDepthMax(http, port)).isLessThanOrEqualTo(REORDER_DEPTH_MAX);
      child.kill9();
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  /** As the mailbox itself says it; none is -1. */
  private static double reorderDepthMax(HttpClient http, int port) throws Exception {
    URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
    String text =
        http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    return REORDERED
        .matcher(text)
        .results()
        .mapToDouble(each -> Double.parseDouble(each.group(1)))
        .max()
        .orElse(-1);
  }
}
