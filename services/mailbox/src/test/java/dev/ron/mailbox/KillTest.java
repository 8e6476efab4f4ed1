package dev.ron.mailbox;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments under load, often with a torn tail: the ledger of acknowledged
 * operations balances.
 */
final class KillTest {
  private static final int CLIENTS = 6;
  private static final Duration FIRST_ANSWER_LIMIT = Duration.ofSeconds(20);

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
      if (random.nextInt(3) > 0) {
        tear(random);
      }
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
    assertThat(ledger.sent.size())
        .as("there was load; refused were %s", ledger.refusals)
        .isGreaterThan(rounds * 3);
    assertThat(ledger.acked.size()).as("there were acks").isGreaterThan(rounds / 2);
  }

  /** Leaves bytes behind the last record, as a write does that a power cut caught half way. */
  private void tear(RandomGenerator random) throws IOException {
    Path last;
    try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
      last = files.filter(file -> file.toString().endsWith(".log")).sorted().toList().getLast();
    }
    try (FileChannel segment = FileChannel.open(last, READ, WRITE)) {
      ByteBuffer all = ByteBuffer.allocate((int) segment.size());
      segment.read(all, 0);
      int end = all.capacity();
      while (end > 0 && all.get(end - 1) == 0) {
        end--;
      }
      // A record may end in zeros of its own, but in no more than these.
      byte[] torn = new byte[1 + random.nextInt(4000)];
      random.nextBytes(torn);
      segment.write(ByteBuffer.wrap(torn), end + 2100L);
    }
  }

  private void loadAndKill(int round, Ledger ledger, RandomGenerator random) throws Exception {
    try (ChildJvm child = ChildJvm.start(KilledMain.class, folder.toString());
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
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
      child.kill9();
      for (Thread client : clients) {
        client.join();
      }
    }
  }
}
