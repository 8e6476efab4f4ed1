package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments while a FIFO queue and a standard one are used through the door, each
 * time with another number of shards: no group is ever out of order as clients saw it, nothing that
 * was answered is lost or undone, and what is sent again is not taken twice.
 */
final class SqsKillTest {
  private static final String FIFO = "killed.fifo";
  private static final String STANDARD = "killed";
  private static final int CLIENTS = 4;
  private static final int GROUPS = 12;

  /** Longer than a restart, so that leases from before a kill hold after it. */
  private static final int VISIBILITY_SECONDS = 8;

  private static final Duration FIRST_ANSWER_LIMIT = Duration.ofSeconds(30);

  private final Map<String, SqsLedger> ledgers =
      Map.of(FIFO, new SqsLedger(true), STANDARD, new SqsLedger(false));

  @TempDir private Path folder;

  @Test
  void whatClientsWereToldHoldsOverAKill() throws Exception {
    killAndCheck(1, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void whatClientsWereToldHoldsOverTwoHundredKills() throws Exception {
    killAndCheck(200, Long.getLong("ron.seed", 2));
  }

  private void killAndCheck(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < rounds; round++) {
      loadAndKill(round, random);
      for (SqsLedger ledger : ledgers.values()) {
        assertThat(ledger.contradictions).as("round %d of seed %d", round, seed).isEmpty();
      }
    }
    try (ChildJvm child = start(random)) {
      var probe = new SqsProbe(Integer.parseInt(child.line()), false);
      for (String queue : ledgers.keySet()) {
        sendAgain(probe, queue);
        SqsLedger ledger = ledgers.get(queue);
        int deletes = ledger.deleted.size();
        assertThat(ledger.lost(everything(probe, queue))).as("seed %d", seed).isEmpty();
        assertThat(ledger.contradictions).as("what is left, seed %d", seed).isEmpty();
        System.out.printf(
            "sqs kill loop: %s, %d rounds, %d sends, %d deletes%n",
            queue, rounds, ledger.count(), deletes);
        assertThat(ledger.count()).as("there was load").isGreaterThan(rounds * 3);
        assertThat(deletes).as("there were deletes").isGreaterThan(rounds / 2);
      }
      child.kill9();
    }
  }

  private ChildJvm start(RandomGenerator random) throws Exception {
    String shards = Integer.toString(1 + random.nextInt(8));
    return ChildJvm.start(SqsKilledMain.class, folder.toString(), shards);
  }

  private void loadAndKill(int round, RandomGenerator random) throws Exception {
    try (ChildJvm child = start(random)) {
      var probe = new SqsProbe(Integer.parseInt(child.line()), false);
      assertThat(probe.call("CreateQueue", "QueueName", STANDARD).status()).isEqualTo(200);
      Map<String, String> fifo = Map.of("FifoQueue", "true");
      assertThat(probe.call("CreateQueue", "QueueName", FIFO, "Attributes", fifo).status())
          .isEqualTo(200);
      deleteHeld(probe);
      for (String queue : ledgers.keySet()) {
        sendAgain(probe, queue);
      }
      int before = ledgers.get(FIFO).count();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String name = "r%d-c%d".formatted(round, i);
        var chance = new SplittableRandom(random.nextLong());
        clients.add(Thread.ofVirtual().start(() -> load(probe, name, chance)));
      }
      var time = new SystemTime();
      Instant limit = time.now().plus(FIRST_ANSWER_LIMIT);
      while (ledgers.get(FIFO).count() == before && time.now().isBefore(limit)) {
        time.sleepUntil(time.now().plus(Duration.ofMillis(2)));
      }
      time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(1200))));
      child.kill9();
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  private void load(SqsProbe probe, String name, RandomGenerator random) {
    try {
      for (int number = 0; true; number++) {
        String queue = random.nextInt(3) == 0 ? STANDARD : FIFO;
        if (random.nextInt(2) == 0) {
          String group = "g" + random.nextInt(GROUPS);
          send(probe, queue, new SqsLedger.Sending(group, name + "-" + number));
        } else {
          receive(probe, queue, random);
        }
      }
    } catch (IOException | InterruptedException _) {
      // the mailbox was killed; what was under way is unknown
    }
  }

  /** A message is sent under one deduplication id or invocation id, however often. */
  private void send(SqsProbe probe, String queue, SqsLedger.Sending message)
      throws IOException, InterruptedException {
    SqsLedger ledger = ledgers.get(queue);
    SqsProbe.Said said;
    try {
      said =
          queue.equals(FIFO)
              ? probe.call(
                  "SendMessage",
                  "QueueUrl",
                  queue,
                  "MessageBody",
                  message.body(),
                  "MessageGroupId",
                  message.group(),
                  "MessageDeduplicationId",
                  message.body())
              : probe.invoked(
                  message.body(),
                  "SendMessage",
                  Map.of("QueueUrl", queue, "MessageBody", message.body()));
    } catch (IOException unknown) {
      ledger.unsure.add(message);
      throw unknown;
    }
    if (said.status() == 200) {
      String id = said.value(queue.equals(FIFO) ? "SequenceNumber" : "MessageId");
      ledger.sent(message.group(), message.body(), id);
    }
  }

  private void sendAgain(SqsProbe probe, String queue) throws IOException, InterruptedException {
    SqsLedger ledger = ledgers.get(queue);
    for (SqsLedger.Sending next = ledger.unsure.poll(); next != null; next = ledger.unsure.poll()) {
      send(probe, queue, next);
    }
  }

  private void receive(SqsProbe probe, String queue, RandomGenerator random)
      throws IOException, InterruptedException {
    SqsLedger ledger = ledgers.get(queue);
    Set<String> gone = ledger.goneBefore();
    List<SqsLedger.Got> answer = got(probe, queue, VISIBILITY_SECONDS);
    ledger.received(answer, gone, new SystemTime().now());
    for (SqsLedger.Got each : answer) {
      if (random.nextInt(8) == 0) {
        // The rest comes back by itself, in order.
        return;
      }
      if (!delete(probe, queue, each)) {
        return;
      }
    }
  }

  private boolean delete(SqsProbe probe, String queue, SqsLedger.Got message)
      throws IOException, InterruptedException {
    SqsLedger ledger = ledgers.get(queue);
    ledger.deleteAsked.add(message.id());
    int status =
        probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", message.handle()).status();
    if (status == 200) {
      ledger.deleted.add(message.id());
      ledger.held.remove(message.id(), message);
    }
    return status == 200;
  }

  /** Handles from before a kill are good after it, as long as their leases last. */
  private void deleteHeld(SqsProbe probe) throws IOException, InterruptedException {
    SqsLedger ledger = ledgers.get(FIFO);
    for (SqsLedger.Got each : List.copyOf(ledger.held.values())) {
      if (!delete(probe, FIFO, each) && new SystemTime().now().isBefore(each.until())) {
        ledger.contradictions.add(each + " was refused in its lease");
      }
      ledger.held.remove(each.id());
    }
  }

  private static List<SqsLedger.Got> got(SqsProbe probe, String queue, int visibility)
      throws IOException, InterruptedException {
    Instant until = new SystemTime().now().plusSeconds(visibility);
    SqsProbe.Said said =
        probe.call(
            "ReceiveMessage",
            "QueueUrl",
            queue,
            "MaxNumberOfMessages",
            5,
            "VisibilityTimeout",
            visibility,
            "AttributeNames",
            List.of("All"));
    List<String> ids = said.values(queue.equals(FIFO) ? "SequenceNumber" : "MessageId");
    List<String> groups = said.values("MessageGroupId");
    List<String> bodies = said.values("Body");
    List<String> handles = said.values("ReceiptHandle");
    var got = new ArrayList<SqsLedger.Got>();
    for (int i = 0; i < ids.size(); i++) {
      String group = groups.isEmpty() ? "" : groups.get(i);
      got.add(new SqsLedger.Got(group, ids.get(i), bodies.get(i), handles.get(i), until));
    }
    return got;
  }

  /**
   * What is left, when the leases of before have ended; deletes it to get at the next. It comes
   * once, and in its order, as before.
   */
  private Set<String> everything(SqsProbe probe, String queue) throws Exception {
    SqsLedger ledger = ledgers.get(queue);
    var left = new HashSet<String>();
    var time = new SystemTime();
    Duration patience = Duration.ofSeconds(VISIBILITY_SECONDS + 2L);
    Instant quiet = time.now().plus(patience);
    while (time.now().isBefore(quiet)) {
      Set<String> gone = ledger.goneBefore();
      List<SqsLedger.Got> answer = got(probe, queue, 60);
      ledger.received(answer, gone, time.now());
      for (SqsLedger.Got each : answer) {
        if (!left.add(each.id()) || !delete(probe, queue, each)) {
          ledger.contradictions.add(each + " came twice or could not be deleted");
        }
        quiet = time.now().plus(patience);
      }
      time.sleepUntil(time.now().plusMillis(20));
    }
    return left;
  }
}
