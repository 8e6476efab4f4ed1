package dev.ron.mailbox.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.testkit.FaultyDisk;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A message that nobody takes does not hold on to the whole journal behind it. */
final class JournalCompactionTest {
  private static final Duration WHILE = Duration.ofSeconds(3);

  private final SplittableRandom random = new SplittableRandom(1);
  private final VirtualTime time = new VirtualTime();
  private final FaultyDisk disk = new FaultyDisk(time, random);
  private SteppedMailbox mailbox;

  @Test
  void theOldEndOfTheJournalGoesAndTheOldMessageStays() throws Exception {
    mailbox = new SteppedMailbox(time, random, disk, true, 1000);
    Reply<Outcome> forgotten = mailbox.send(0, "old", "forgotten", 0);
    mailbox.tree.settle();
    assertThat(forgotten.now()).isInstanceOf(Outcome.Accepted.class);
    for (int round = 0; round < 60; round++) {
      passThrough(round);
      mailbox.tree.advance(WHILE);
    }
    assertThat(mailbox.journal.journal().first())
        .as("the record of the send is gone, and what came behind it")
        .isGreaterThan(100);
    assertThat(mailbox.journal.diskBytes() - 2 * mailbox.journal.snapshotBytes())
        .as("the log; everything that was ever written is some 290,000 bytes")
        .isLessThan(120_000);
    disk.crash();
    mailbox = new SteppedMailbox(time, random, disk, true, 1000);
    Reply<ReceiveResult> handed = mailbox.receive(0, "old", 1000, false);
    mailbox.tree.settle();
    assertThat(((ReceiveResult.Messages) handed.now()).envelopes().getFirst().body())
        .isEqualTo("forgotten".getBytes(UTF_8));
  }

  /** Twenty messages come and are acknowledged. */
  private void passThrough(int round) throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      Reply<Outcome> sent = mailbox.send(i % 2, "new", "r" + round + "-" + i, 0);
      mailbox.tree.settle();
      if (sent.now() instanceof Outcome.Accepted(var id, _)) {
        mailbox.shards.submit(id.shard(), new Command.Ack(id, null, TopicReach.ALL));
        mailbox.tree.settle();
      }
    }
  }
}
