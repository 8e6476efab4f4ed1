package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at random moments under load: the ledger of acknowledged operations balances. */
final class KillTest {
  private static final int CLIENTS = 6;

  @TempDir private Path folder;

  @Test
  void theLedgerBalancesAfterTenKills() throws Exception {
    killAndBalance(10, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void theLedgerBalancesAfterTwoHundredKills() throws Exception {
    killAndBalance(200, Long.getLong("ron.seed", 2));
  }

  private void killAndBalance(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    var ledger = new Ledger();
    for (int round = 0; round < rounds; round++) {
      loadAndKill(round, ledger, random);
      assertThat(ledger.contradictions).as("round %d of seed %d", round, seed).isEmpty();
    }
    try (ChildJvm child = ChildJvm.start(KilledMain.class, folder.toString());
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      assertThat(ledger.balance(LoadClient.everything(http, port)))
          .as("seed %d, %d sends, %d acks", seed, ledger.sent.size(), ledger.acked.size())
          .isEmpty();
      child.kill9();
    }
    assertThat(ledger.sent).as("there was load").hasSizeGreaterThan(rounds * 5);
    assertThat(ledger.acked).as("there were acks").hasSizeGreaterThan(rounds);
  }

  private void loadAndKill(int round, Ledger ledger, RandomGenerator random) throws Exception {
    try (ChildJvm child = ChildJvm.start(KilledMain.class, folder.toString());
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
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
      time.sleepUntil(time.now().plus(Duration.ofMillis(100 + random.nextInt(600))));
      child.kill9();
      for (Thread client : clients) {
        client.join();
      }
    }
  }
}
