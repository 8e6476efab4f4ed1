package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The power goes out anywhere, with torn writes and failed flushes, while snapshots are taken: what
 * was answered holds.
 */
final class PowerCutTest {
  @Test
  void whatWasAnsweredSurvivesEveryPowerCut() {
    Seeds.forEach(400, (_, random) -> new Life(random, false).live());
  }

  @Test
  void itSurvivesThemAsWellWhenTheNumberOfShardsChangesInBetween() {
    Seeds.forEach(400, (_, random) -> new Life(random, true).live());
  }

  @Test
  @Tag("long")
  void whatWasAnsweredSurvivesEveryPowerCutForLong() {
    Seeds.forEach(20_000, (_, random) -> new Life(random, false).live());
    Seeds.forEach(20_000, (_, random) -> new Life(random, true).live());
  }

  /** One mailbox through several power cuts, with the ledger of what it answered. */
  private static final class Life {
    private final RandomGenerator random;
    private final boolean changing;
    private final VirtualTime time = new VirtualTime();
    private final FaultyDisk disk;
    private final Map<Ulid, String> sent = new HashMap<>();
    private final Map<String, Ulid> ids = new HashMap<>();
    private final Set<Ulid> acked = new HashSet<>();
    private final Set<Ulid> ackAsked = new HashSet<>();
    private final Map<String, Reply<Outcome>> sends = new HashMap<>();
    private final Map<Ulid, Reply<Outcome>> acks = new HashMap<>();
    private int keys;
    private SteppedMailbox mailbox;

    Life(RandomGenerator random, boolean changing) {
      this.random = random;
      this.changing = changing;
      this.disk = new FaultyDisk(time, random);
    }

    void live() throws Exception {
      for (int round = 0; round < 4; round++) {
        if (changing) {
          failToOpen();
        }
        open();
        checkEverything();
        if (random.nextInt(3) > 0) {
          disk.failFlushAfter(random.nextInt(12));
        }
        if (random.nextInt(3) == 0) {
          disk.failWriteAfter(random.nextInt(12));
        }
        for (int i = 0; i < 60; i++) {
          step();
        }
        collect();
        sends.clear();
        acks.clear();
        disk.failFlushAfter(Integer.MAX_VALUE);
        disk.failWriteAfter(Integer.MAX_VALUE);
        disk.crash();
      }
      open();
      checkEverything();
    }

    private void open() throws Exception {
      int shards = changing ? 1 + random.nextInt(5) : SteppedMailbox.SHARDS;
      mailbox = new SteppedMailbox(time, random, disk, true, 1000, shards);
    }

    /** The power goes out while the new number is written down, or a little later. */
    private void failToOpen() throws Exception {
      disk.failFlushAfter(random.nextInt(4));
      disk.failWriteAfter(random.nextInt(4));
      try {
        open();
      } catch (IOException _) {
        // as it was meant to
      }
      disk.failFlushAfter(Integer.MAX_VALUE);
      disk.failWriteAfter(Integer.MAX_VALUE);
      disk.crash();
    }

    private void step() throws InterruptedException {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> send("k" + keys++);
        case 4 -> send("k" + random.nextInt(keys + 1));
        case 5, 6 -> ack();
        case 7 -> mailbox.tree.advance(Duration.ofMillis(random.nextInt(1500)));
        default -> mailbox.tree.settle();
      }
      collect();
    }

    private void send(String key) {
      if (sends.containsKey(key)) {
        return;
      }
      String topic = "t" + key.hashCode() % 3;
      int delay = random.nextInt(3) == 0 ? 50 : 0;
      ShardLayout layout = mailbox.shards.topics().layout();
      long now = time.now().toEpochMilli();
      for (int shard : layout.formerly(topic, "", now, SteppedMailbox.REPLAY_MILLIS)) {
        var command = SteppedMailbox.command(topic, key, delay);
        Optional<Outcome> known = mailbox.shards.slots().get(shard).shard().known(command, now);
        if (known.isPresent()) {
          accepted(key, (Outcome.Accepted) known.get());
          return;
        }
      }
      sends.put(key, mailbox.send(layout.shard(topic, ""), topic, key, delay));
    }

    private void accepted(String key, Outcome.Accepted answer) {
      String before = sent.put(answer.id(), key);
      assertThat(before == null || before.equals(key)).as("one id, one key").isTrue();
      assertThat(answer.duplicate() || before == null).as("a new message has a new id").isTrue();
      Ulid first = ids.putIfAbsent(key, answer.id());
      assertThat(first == null || first.equals(answer.id())).as("one key, one id").isTrue();
    }

    private void ack() {
      List<Ulid> open = new ArrayList<>(sent.keySet());
      open.removeAll(ackAsked);
      if (!open.isEmpty()) {
        open.sort(Ulid::compareTo);
        Ulid id = open.get(random.nextInt(open.size()));
        ackAsked.add(id);
        acks.put(id, mailbox.shards.submit(id.shard(), new Command.Ack(id, null, TopicReach.ALL)));
      }
    }

    /** Writes down what was answered by now. */
    private void collect() throws InterruptedException {
      for (var each : List.copyOf(sends.entrySet())) {
        Outcome outcome = each.getValue().now();
        if (outcome instanceof Outcome.Accepted answer) {
          accepted(each.getKey(), answer);
        }
        if (outcome != null) {
          sends.remove(each.getKey());
        }
      }
      for (var each : List.copyOf(acks.entrySet())) {
        Outcome outcome = each.getValue().now();
        if (outcome instanceof Outcome.Done) {
          acked.add(each.getKey());
        }
        if (outcome != null) {
          acks.remove(each.getKey());
        }
      }
    }

    private void checkEverything() {
      long bytes = mailbox.shards.slots().stream().mapToLong(slot -> slot.shard().bytes()).sum();
      assertThat(
              mailbox
                  .shards
                  .slots()
                  .getFirst()
                  .bounds()
                  .queued()
                  .used(QueueTopic.accountOf("default")))
          .as("what the tenant has in all shards")
          .isEqualTo(bytes);

      for (Map.Entry<Ulid, String> each : sent.entrySet()) {
        Ulid id = each.getKey();
        Shard shard = mailbox.shards.slots().get(id.shard()).shard();
        boolean here = shard.topicOf(id).isPresent();
        if (acked.contains(id)) {
          assertThat(here).as("acknowledged ack of %s came back", each).isFalse();
        } else if (!ackAsked.contains(id)) {
          assertThat(here).as("acknowledged send %s is lost", each).isTrue();
        }
      }
    }
  }
}
