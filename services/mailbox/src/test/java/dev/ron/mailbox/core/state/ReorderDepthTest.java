package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.KeptShard;
import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ShardDecision;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class ReorderDepthTest {
  @Test
  void itCountsLikeASetUpToItsLimit() {
    Seeds.forEach(
        300,
        (_, random) -> {
          var depth = new ReorderDepth();
          var all = new TreeSet<Long>();
          for (int i = 0; i < 200; i++) {
            long handed = random.nextInt(400);
            depth.handedOut(handed);
            all.add(handed);
            long asked = random.nextInt(400);
            assertThat(depth.of(asked))
                .as("numbers above %d in %s", asked, all)
                .isEqualTo(Math.min(ReorderDepth.COUNTED_MAX, all.tailSet(asked, false).size()));
          }
        });
  }

  @Test
  void inOneLifeNothingIsOvertaken() throws IOException {
    var life = new Life();
    life.send(5, 0);
    for (int i = 0; i < 5; i++) {
      assertThat(life.receive("depth").depth()).isZero();
    }
  }

  @Test
  void whatACrashTookBackComesBeforeWhatIsNew() throws IOException {
    var life = new Life();
    life.send(5, 0);
    Ulid lost = life.receive("lost on its way to the consumer").id();
    life.ack(life.receive("second").id());
    life.receive("handed out, and never heard of again");
    life.shard.crash();
    life.send(2, 0);
    assertThat(life.receive("the first")).isEqualTo(new Life.Got(lost, 0));
    for (int i = 0; i < 5; i++) {
      assertThat(life.receive("the others, in their order").depth()).isZero();
    }
  }

  @Test
  void aShardThatHandsOutTheYoungestFirstIsFoundOut() throws IOException {
    var life = new Life();
    life.send(3, 0);
    Ulid first = life.receive("first").id();
    life.receive("second");
    life.receive("third");
    assertThat(life.shard.shard().reorderDepth(first)).as("if it came only now").isEqualTo(2);
  }

  @Test
  void aMessageThatWasToldToWaitIsNotOutOfOrder() throws IOException {
    var life = new Life();
    life.send(1, 100);
    life.send(3, 0);
    life.receive("second");
    life.receive("third");
    life.shard.tick(100, life.random);
    assertThat(life.receive("the one that waited").depth()).isZero();
  }

  /** A shard, and how deep each message was when its turn came. */
  private static final class Life {
    private final KeptShard shard = new KeptShard(MailboxScript.LIMITS);
    private final RandomGenerator random = new SplittableRandom(1);
    private int sent;

    private record Got(Ulid id, int depth) {}

    void send(int count, long delay) {
      for (int i = 0; i < count; i++) {
        byte[] body = {1};
        var send =
            new Command.Send(
                "t", "k" + sent++, body, Blake3.hash(body), Map.of(), delay, "", "", 0, false);
        assertThat(shard.run(send, 0, random)).isInstanceOf(Outcome.Accepted.class);
      }
    }

    Got receive(String which) {
      var receive = new Command.Receive("t", 60_000, Long.MAX_VALUE);
      ShardDecision decision = shard.shard().decide(receive, 0, random);
      assertThat(decision.outcome()).as(which).isInstanceOf(Outcome.Delivered.class);
      Ulid id = ((Outcome.Delivered) decision.outcome()).envelope().message().id();
      int depth = shard.shard().reorderDepth(id);
      decision.facts().forEach(fact -> shard.shard().apply(fact, 0));
      return new Got(id, depth);
    }

    void ack(Ulid id) {
      assertThat(shard.run(new Command.Ack(id, null, TopicReach.ALL), 0, random))
          .isInstanceOf(Outcome.Done.class);
    }
  }
}
