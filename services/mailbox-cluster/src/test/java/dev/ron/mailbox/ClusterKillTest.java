package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three machines as real processes under load: one is killed, stopped or cut off again and again,
 * and the ledger of what clients were told balances.
 */
final class ClusterKillTest {
  private static final int CLIENTS = 6;

  /**
   * The others elect within this; ClusterMain's is 600 ms to twice that, and some for the votes.
   */
  private static final int ELECTION_MILLIS = 1600;

  /** So many are acknowledged between two harms, so that there is something to lose. */
  private static final int ROUND_MIN = 40;

  /** Longer than it takes to receive everything. */
  private static final int LAST_LEASE_MILLIS = 8000;

  @TempDir private Path folder;

  private enum Harm {
    KILL_LEADER,
    STOP_LEADER,
    CUT_OFF_LEADER,
    KILL_FOLLOWER,
    CUT_OFF_FOLLOWER,
    KILL_ALL
  }

  /** The last is the worst: after it no machine knows more than its disk. */
  @Test
  void theLedgerBalancesAfterTheLeaderAndThenAllWereKilled() throws Exception {
    List<Harm> harms = List.of(Harm.KILL_LEADER, Harm.KILL_ALL);
    harmAndBalance(harms.size(), Long.getLong("ron.seed", 1), harms);
  }

  /** As when the power fails, with nothing else before it. */
  @Test
  @Tag("long")
  void theLedgerBalancesAfterAllWereKilledAtOnce() throws Exception {
    harmAndBalance(2, Long.getLong("ron.seed", 3), List.of(Harm.KILL_ALL));
  }

  @Test
  @Tag("long")
  void theLedgerBalancesAfterAHundredRounds() throws Exception {
    harmAndBalance(100, Long.getLong("ron.seed", 2), List.of(Harm.values()));
  }

  private void harmAndBalance(int rounds, long seed, List<Harm> harms) throws Exception {
    var random = new SplittableRandom(seed);
    var ledger = new Ledger();
    // A short run leaves a machine that starts some CPU.
    var tally = new ClusterClient.Tally(Duration.ofMillis(rounds > 2 ? 0 : 3));
    try (var nodes = new Nodes(folder, "max_attempts=1000")) {
      nodes.startAll();
      nodes.awaitAllReady();
      List<Thread> clients = clients(nodes, "c", ledger, tally, random);
      for (int round = 0; round < rounds; round++) {
        int before = ledger.sent.size() + ledger.acked.size();
        Harm harm = harms.get(round % harms.size());
        harm(nodes, harm, random);
        String context = "round %d of seed %d, %s".formatted(round, seed, harm);
        assertThat(ledger.contradictions).as(context).isEmpty();
        nodes.await(
            "they go on, " + context,
            () -> ledger.sent.size() + ledger.acked.size() > before + ROUND_MIN);
      }
      tally.stop.set(true);
      for (Thread client : clients) {
        client.join();
      }
      nodes.awaitAllReady();
      assertThat(balance(nodes, ledger))
          .as("seed %d, %d sends, %d acks", seed, ledger.sent.size(), ledger.acked.size())
          .isEmpty();
      System.out.printf(
          "%d rounds: %d operations, %d sends and %d acks acknowledged, %d times 503, %d broken%n",
          rounds,
          tally.operations.get(),
          ledger.sent.size(),
          ledger.acked.size(),
          tally.unavailable.get(),
          tally.broken.get());
    }
    assertThat(ledger.sent.size()).as("there was load").isGreaterThan(rounds * 5);
    assertThat(ledger.acked.size()).as("there were acks").isGreaterThan(rounds * 2);
  }

  static List<Thread> clients(
      Nodes nodes, String names, Ledger ledger, ClusterClient.Tally tally, RandomGenerator random) {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      var client =
          new ClusterClient(
              nodes, names + i, ledger, tally, new SplittableRandom(random.nextLong()));
      clients.add(Thread.ofVirtual().start(client));
    }
    return clients;
  }

  private static void harm(Nodes nodes, Harm harm, RandomGenerator random) throws Exception {
    int group = random.nextInt(3);
    String leader = nodes.leader(group);
    String victim =
        switch (harm) {
          case KILL_LEADER, STOP_LEADER, CUT_OFF_LEADER, KILL_ALL -> leader;
          case KILL_FOLLOWER, CUT_OFF_FOLLOWER ->
              Nodes.NAMES.stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();
        };
    nodes.pause(random.nextInt(300));
    switch (harm) {
      case KILL_LEADER, KILL_FOLLOWER -> {
        nodes.kill(victim);
        nodes.pause(300 + random.nextInt(1200));
        nodes.start(victim);
      }
      case KILL_ALL -> {
        for (String name : Nodes.NAMES) {
          nodes.kill(name);
        }
        nodes.startAll();
      }
      case STOP_LEADER -> {
        nodes.child(victim).signal("STOP");
        nodes.pause(ELECTION_MILLIS + random.nextInt(2000));
        nodes.child(victim).signal("CONT");
      }
      case CUT_OFF_LEADER, CUT_OFF_FOLLOWER -> {
        nodes.cutOff(victim);
        nodes.pause(ELECTION_MILLIS + random.nextInt(2000));
        nodes.heal();
      }
    }
    nodes.awaitAllReady();
  }

  /**
   * What is wrong in the end. A receive that was not answered may have leased messages to nobody,
   * so what seems lost is looked for again when such a lease has ended.
   */
  static List<String> balance(Nodes nodes, Ledger ledger) throws Exception {
    nodes.pause((int) ClusterClient.VISIBILITY.plusMillis(500).toMillis());
    Set<String> left = everything(nodes);
    if (!ledger.balance(left).isEmpty()) {
      System.out.println("looking again for " + ledger.balance(left));
      nodes.pause(LAST_LEASE_MILLIS + 500);
      left.addAll(everything(nodes));
    }
    assertThat(nodes.get("a", "/v1/dlq?limit=1000")).contains("\"messages\":[]");
    return ledger.balance(left);
  }

  private static Set<String> everything(Nodes nodes) throws Exception {
    var left = new HashSet<String>();
    for (int topic = 0; topic < ClusterClient.TOPICS; topic++) {
      String request =
          "{\"topic\":\"t%d\",\"max_messages\":100,\"visibility_ms\":%d}"
              .formatted(topic, LAST_LEASE_MILLIS);
      int before = -1;
      while (left.size() > before) {
        before = left.size();
        HttpResponse<String> answer = nodes.persistently("a", "/v1/recv", request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Matcher received = Pattern.compile("\"msg_id\":\"(\\w+)\"").matcher(answer.body());
        while (received.find()) {
          left.add(received.group(1));
        }
      }
    }
    return left;
  }
}
