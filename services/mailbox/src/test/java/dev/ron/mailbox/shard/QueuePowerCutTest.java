package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The power goes out anywhere, with torn writes and failed flushes, while a FIFO queue is used and
 * snapshots are taken: what was answered holds, leases among it.
 */
final class QueuePowerCutTest {
  private static final String TOPIC = "sqs/1/cut.fifo";
  private static final long VISIBILITY_MILLIS = 60_000;

  @Test
  void whatWasAnsweredAboutAQueueSurvivesEveryPowerCut() {
    Seeds.forEach(200, (_, random) -> new Life(random).live());
  }

  @Test
  @Tag("long")
  void whatWasAnsweredAboutAQueueSurvivesEveryPowerCutForLong() {
    Seeds.forEach(10_000, (_, random) -> new Life(random).live());
  }

  /** One mailbox through several power cuts, with the ledger of what it answered. */
  private static final class Life {
    private final RandomGenerator random;
    private final VirtualTime time = new VirtualTime();
    private final FaultyDisk disk;
    private final Set<Ulid> sent = new HashSet<>();
    private final Set<Ulid> deleteAsked = new HashSet<>();
    private final Set<Ulid> deleted = new HashSet<>();
    private final Map<Ulid, Held> held = new HashMap<>();
    private final List<Reply<Outcome>> makes = new ArrayList<>();
    private final List<Reply<Outcome>> sends = new ArrayList<>();
    private final List<Reply<ReceiveResult>> receives = new ArrayList<>();
    private final Map<Ulid, Reply<Outcome>> deletes = new HashMap<>();
    private boolean made;
    private int bodies;
    private SteppedMailbox mailbox;

    /** A lease that was answered, and until when it holds at least. */
    private record Held(Receipt receipt, long untilMillis) {}

    Life(RandomGenerator random) {
      this.random = random;
      this.disk = new FaultyDisk(time, random);
    }

    void live() throws Exception {
      for (int round = 0; round < 4; round++) {
        open();
        if (random.nextInt(3) > 0) {
          disk.failFlushAfter(random.nextInt(12));
        }
        if (random.nextInt(3) == 0) {
          disk.failWriteAfter(random.nextInt(12));
        }
        for (int i = 0; i < 60; i++) {
          step();
          collect();
        }
        makes.clear();
        sends.clear();
        receives.clear();
        deletes.clear();
        disk.failFlushAfter(Integer.MAX_VALUE);
        disk.failWriteAfter(Integer.MAX_VALUE);
        disk.crash();
      }
      open();
    }

    /** Another number of shards each time: the queue stays where it was made. */
    private void open() throws Exception {
      mailbox = new SteppedMailbox(time, random, disk, true, 1000, 1 + random.nextInt(5));
      check();
      var settings = QueueRecord.wanted(TOPIC, QueueSettings.DEFAULTS, Map.of(), Map.of());
      makes.add(mailbox.shards.submit(home(), new QueueCommand.Make(settings, List.of())));
    }

    private int home() {
      return mailbox.shards.topics().mainShard(TOPIC);
    }

    private void step() throws InterruptedException {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          byte[] body = {(byte) bodies++};
          sends.add(
              mailbox.shards.submit(
                  home(),
                  new QueueCommand.Put(
                      TOPIC,
                      body,
                      Blake3.hash(body),
                      Map.of(),
                      -1,
                      "g" + random.nextInt(3),
                      "d" + bodies,
                      "",
                      1,
                      "",
                      0)));
        }
        case 3, 4 -> receives.add(mailbox.receive(home(), TOPIC, VISIBILITY_MILLIS, false));
        case 5 -> delete();
        case 6 -> mailbox.tree.advance(Duration.ofMillis(random.nextInt(1500)));
        default -> mailbox.tree.settle();
      }
    }

    private void delete() {
      for (Map.Entry<Ulid, Held> each : held.entrySet()) {
        if (deleteAsked.add(each.getKey())) {
          var settle =
              new QueueCommand.Settle(
                  TOPIC, each.getKey(), each.getValue().receipt(), QueueCommand.Settle.DELETE);
          deletes.put(each.getKey(), mailbox.shards.submit(each.getKey().shard(), settle));
          return;
        }
      }
    }

    private void collect() throws InterruptedException {
      for (Reply<Outcome> each : makes) {
        made |= each.now() instanceof Outcome.Queue;
      }
      for (Reply<Outcome> each : sends) {
        if (each.now() instanceof Outcome.Accepted(Ulid id, _)) {
          sent.add(id);
        }
      }
      for (Reply<ReceiveResult> each : List.copyOf(receives)) {
        ReceiveResult result = each.now();
        if (result instanceof ReceiveResult.Messages(List<Envelope> envelopes)) {
          for (Envelope one : envelopes) {
            held.put(
                one.message().id(), new Held(one.receipt(), one.firstMillis() + VISIBILITY_MILLIS));
          }
        }
        if (result != null) {
          receives.remove(each);
        }
      }
      deletes.forEach(
          (id, reply) -> {
            if (reply.now() instanceof Outcome.Done) {
              deleted.add(id);
            }
          });
    }

    private void check() {
      Shard shard = mailbox.shards.slots().get(home()).shard();
      if (made) {
        assertThat(shard.queue(TOPIC)).as("a queue that was made").isPresent();
      }
      for (Ulid id : sent) {
        boolean here = mailbox.shards.slots().get(id.shard()).shard().topicOf(id).isPresent();
        if (deleted.contains(id)) {
          assertThat(here).as("a message that was deleted: %s", id).isFalse();
        } else if (!deleteAsked.contains(id)) {
          assertThat(here).as("a message that was sent: %s", id).isTrue();
        }
      }
      long now = time.now().toEpochMilli();
      held.forEach(
          (id, lease) -> {
            if (!deleteAsked.contains(id) && now < lease.untilMillis()) {
              assertThat(
                      mailbox
                          .shards
                          .slots()
                          .get(id.shard())
                          .shard()
                          .settled(Map.of(id, lease.receipt())))
                  .as("a lease that was answered: %s", id)
                  .isEmpty();
            }
          });
    }
  }
}
