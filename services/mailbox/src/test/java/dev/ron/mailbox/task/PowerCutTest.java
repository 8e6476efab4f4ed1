package dev.ron.mailbox.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.Ulid;
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
 * The power goes out anywhere, with torn writes and failed flushes, while snapshots are taken: what
 * was answered holds.
 */
final class PowerCutTest {
  @Test
  void whatWasAnsweredSurvivesEveryPowerCut() {
    Seeds.forEach(400, (_, random) -> new Life(random).live());
  }

  @Test
  @Tag("long")
  void whatWasAnsweredSurvivesEveryPowerCutForLong() {
    Seeds.forEach(20_000, (_, random) -> new Life(random).live());
  }

  /** One mailbox through several power cuts, with the ledger of what it answered. */
  private static final class Life {
    private final RandomGenerator random;
    private final VirtualTime time = new VirtualTime();
    private final FaultyDisk disk;
    private final Map<Ulid, String> sent = new HashMap<>();
    private final Set<Ulid> acked = new HashSet<>();
    private final Set<Ulid> ackAsked = new HashSet<>();
    private final Map<String, Reply<Outcome>> sends = new HashMap<>();
    private final Map<Ulid, Reply<Outcome>> acks = new HashMap<>();
    private int keys;
    private SteppedMailbox mailbox;

    Life(RandomGenerator random) {
      this.random = random;
      this.disk = new FaultyDisk(time, random);
    }

    void live() throws Exception {
      for (int round = 0; round < 4; round++) {
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
      mailbox = new SteppedMailbox(time, random, disk, true, 1000);
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
      int shard = Math.abs(key.hashCode() % SteppedMailbox.SHARDS);
      int delay = random.nextInt(3) == 0 ? 50 : 0;
      sends.put(key, mailbox.send(shard, "t" + key.hashCode() % 3, key, delay));
    }

    private void ack() {
      List<Ulid> open = new ArrayList<>(sent.keySet());
      open.removeAll(ackAsked);
      if (!open.isEmpty()) {
        open.sort(Ulid::compareTo);
        Ulid id = open.get(random.nextInt(open.size()));
        ackAsked.add(id);
        acks.put(
            id, mailbox.shards.submit(id.shard(), new Command.Ack(id, null, _ -> true), "/v1/ack"));
      }
    }

    /** Writes down what was answered by now. */
    private void collect() throws InterruptedException {
      for (var each : List.copyOf(sends.entrySet())) {
        Outcome outcome = SteppedMailbox.now(each.getValue());
        if (outcome instanceof Outcome.Accepted(Ulid id, boolean duplicate)) {
          String before = sent.put(id, each.getKey());
          assertThat(before == null || before.equals(each.getKey())).as("one id, one key").isTrue();
          assertThat(duplicate || before == null).as("a new message has a new id").isTrue();
        }
        if (outcome != null) {
          sends.remove(each.getKey());
        }
      }
      for (var each : List.copyOf(acks.entrySet())) {
        Outcome outcome = SteppedMailbox.now(each.getValue());
        if (outcome instanceof Outcome.Done) {
          acked.add(each.getKey());
        }
        if (outcome != null) {
          acks.remove(each.getKey());
        }
      }
    }

    private void checkEverything() {
      for (Map.Entry<Ulid, String> each : sent.entrySet()) {
        Ulid id = each.getKey();
        Shard shard = mailbox.shards.homes().get(id.shard()).shard();
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
