package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.World;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.SeedRow;
import dev.ron.testkit.SeededThreads;
import dev.ron.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Senders, consumers, the shards' own loops, the journal and the drain in every order that the
 * seeds come upon: one message for a key, none delivered once its ack is answered, none lost.
 */
final class MailboxScheduleTest {
  @Test
  @SeedRow({"M03", "M79", "M80", "M81", "M106"})
  void aKeyIsOneMessageAndAnAckIsFinalUnderEverySchedule() {
    Seeds.forEach(150, (seed, _) -> play(seed, false));
  }

  @Test
  @Tag("long")
  void aKeyIsOneMessageAndAnAckIsFinalUnderManyMoreSchedules() {
    Seeds.forEach(20_000, (seed, _) -> play(seed, false));
  }

  /** A key becomes two messages, or the shard's own state finds one of them there already. */
  @Test
  void theSchedulesFindAShardWithTwoLoops() {
    assertThatThrownBy(() -> Seeds.forEach(20, (seed, _) -> play(seed, true)))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*(Expected size: 1 but was: 2|is here already).*");
  }

  private static void play(long seed, boolean twoLoops) {
    var threads = new SeededThreads(seed);
    threads.run(() -> new Play(threads, seed, twoLoops).run());
  }

  /** One mailbox, two senders of the same keys, two consumers, and a drain at any moment. */
  private static final class Play {
    private static final int KEYS = 4;
    private static final int LEASE_MILLIS = 20;

    private final World world;
    private final FaultyDisk disk;
    private final SteppedMailbox mailbox;
    private final Supervisor supervisor;
    private final Map<String, Set<Ulid>> accepted = new HashMap<>();
    private final Set<Ulid> acked = new HashSet<>();
    private final Set<Ulid> maybeAcked = new HashSet<>();
    private final List<Envelope> inHands = new ArrayList<>();

    Play(SeededThreads threads, long seed, boolean twoLoops) throws Exception {
      var chance = new SplittableRandom(seed);
      disk = new FaultyDisk(threads.clock(), chance);
      disk.slow(Duration.ofMillis(chance.nextInt(3)));
      world = threads.world(disk);
      mailbox = new SteppedMailbox(world, true, 100, SteppedMailbox.SHARDS);
      supervisor =
          twoLoops
              ? mailbox.supervisor.children(
                  "planted", mailbox.shards.slots(), Restart.ALWAYS, mailbox.loop)
              : mailbox.supervisor;
    }

    void run() throws Exception {
      Tree tree = supervisor.start(mailbox.scope);
      var ends = new ArrayList<Gate>();
      for (int i = 0; i < 2; i++) {
        ends.add(start("sender", this::sendAll));
        ends.add(start("consumer", this::consume));
      }
      if (world.chance().nextBoolean()) {
        world.time().sleepUntil(world.time().now().plusMillis(world.chance().nextInt(60)));
      } else {
        for (Gate end : ends) {
          end.await(Deadline.NEVER);
        }
      }
      DrainReport report = tree.drain();
      for (Gate end : ends) {
        end.await(Deadline.NEVER);
      }
      assertThat(report.tasksAborted()).isZero();
      disk.slow(Duration.ZERO);
      disk.crash();
      check();
    }

    private interface Work {
      void run() throws InterruptedException;
    }

    private Gate start(String name, Work work) {
      var end = new Gate(world.time());
      world
          .threads()
          .start(
              name,
              () -> {
                try {
                  work.run();
                } catch (InterruptedException stop) {
                  throw new IllegalStateException(stop);
                } finally {
                  end.open();
                }
              });
      return end;
    }

    private void sendAll() throws InterruptedException {
      for (int i = 0; i < KEYS; i++) {
        String key = "k" + i;
        if (mailbox.shards.await(mailbox.send(i % 2, "t", key, 0))
            instanceof Outcome.Accepted(Ulid id, _)) {
          accepted.computeIfAbsent(key, _ -> new HashSet<>()).add(id);
        }
      }
    }

    private void consume() throws InterruptedException {
      for (int i = 0; i < 3 * KEYS; i++) {
        Set<Ulid> over = Set.copyOf(acked);
        var request = new ReceiveRequest("t", LEASE_MILLIS, 1, 1 << 20);
        if (mailbox.shards.receive(request, Duration.ofMillis(world.chance().nextInt(2) * 5L))
            instanceof ReceiveResult.Messages(List<Envelope> some)) {
          some.forEach(each -> assertThat(over).doesNotContain(each.message().id()));
          inHands.addAll(some);
        }
        if (world.chance().nextInt(3) > 0 && !inHands.isEmpty()) {
          ack(inHands.get(world.chance().nextInt(inHands.size())));
        }
      }
    }

    /** By any consumer, in time or late, once or again. */
    private void ack(Envelope envelope) throws InterruptedException {
      Ulid id = envelope.message().id();
      maybeAcked.add(id);
      var ack = new Command.Ack(id, envelope.receipt(), TopicReach.ALL);
      if (mailbox.shards.ask(envelope.shard(), ack) instanceof Outcome.Done) {
        acked.add(id);
      }
    }

    private void check() throws Exception {
      assertThat(accepted.values()).allSatisfy(ids -> assertThat(ids).hasSize(1));
      var again = new SteppedMailbox(world, true, 100, SteppedMailbox.SHARDS);
      accepted
          .values()
          .forEach(
              ids -> {
                Ulid id = ids.iterator().next();
                boolean lives =
                    again.shards.slots().stream()
                        .anyMatch(slot -> slot.shard().topicOf(id).isPresent());
                if (acked.contains(id)) {
                  assertThat(lives).as("acked").isFalse();
                } else if (!maybeAcked.contains(id)) {
                  assertThat(lives).as("not acked").isTrue();
                }
              });
    }
  }
}
