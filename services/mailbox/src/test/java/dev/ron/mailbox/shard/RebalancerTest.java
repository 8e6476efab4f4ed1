package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** From eight shards to two, in virtual time. */
final class RebalancerTest {
  private static final int TOPICS = 20;
  private static final Duration REPLAY = Duration.ofMillis(SteppedMailbox.REPLAY_MILLIS);

  private final VirtualTime time = new VirtualTime();
  private final FaultyDisk disk = new FaultyDisk(time, new SplittableRandom(1));
  private final Map<String, Ulid> sent = new HashMap<>();
  private SteppedMailbox mailbox;

  private void open(int shards) throws Exception {
    mailbox = new SteppedMailbox(time, new SplittableRandom(2), disk, true, 1000, shards);
  }

  private void sendToAll() throws Exception {
    for (int i = 0; i < TOPICS; i++) {
      String topic = "topic-" + i;
      Reply<Outcome> reply =
          mailbox.send(mailbox.shards.topics().mainShard(topic), topic, "key-" + i, 0);
      mailbox.tree.settle();
      sent.put(topic, ((Outcome.Accepted) reply.now()).id());
    }
  }

  /** Receives every message where its topic is found, and acks it. */
  private void takeAll() throws Exception {
    for (String topic : sent.keySet()) {
      for (int shard : mailbox.shards.topics().of(topic)) {
        Reply<ReceiveResult> reply = mailbox.receive(shard, topic, 60_000, false);
        mailbox.tree.settle();
        if (reply.now() instanceof ReceiveResult.Messages(var envelopes) && !envelopes.isEmpty()) {
          Ulid id = envelopes.getFirst().message().id();
          assertThat(sent).containsEntry(topic, id);
          mailbox.shards.submit(id.shard(), new Command.Ack(id, null, TopicReach.ALL));
          mailbox.tree.settle();
        }
      }
    }
  }

  private int left() {
    return mailbox.shards.slots().stream().mapToInt(slot -> slot.shard().living()).sum();
  }

  private ShardLayout kept() throws IOException {
    return MailboxFolder.layout(mailbox.scope, SteppedMailbox.FOLDER, 2);
  }

  @Test
  void everyMessageIsFoundWhereItsTopicWasAndTheFormerShardsGoWhenTheyAreEmpty() throws Exception {
    open(8);
    sendToAll();
    open(2);
    assertThat(mailbox.shards.count()).isEqualTo(8);
    assertThat(left()).isEqualTo(TOPICS);
    mailbox.tree.advance(REPLAY.multipliedBy(2));
    assertThat(kept().shards()).as("messages hold their shards").isEqualTo(8);
    takeAll();
    assertThat(left()).isZero();
    mailbox.tree.advance(Duration.ofSeconds(5));
    assertThat(kept()).isEqualTo(ShardLayout.of(2));
    open(2);
    assertThat(mailbox.shards.count()).as("the journal still tells of eight").isEqualTo(2);
  }

  @Test
  void keysHoldTheLayoutForTheirTimeThoughNothingIsLeft() throws Exception {
    open(8);
    sendToAll();
    takeAll();
    open(2);
    mailbox.tree.advance(REPLAY.minusSeconds(2));
    assertThat(kept().shards()).isEqualTo(8);
    mailbox.tree.advance(Duration.ofSeconds(5));
    assertThat(kept()).isEqualTo(ShardLayout.of(2));
  }

  @Test
  void newMessagesGoToTheNewShardsOnly() throws Exception {
    open(8);
    open(2);
    sendToAll();
    assertThat(sent.values()).allMatch(id -> id.shard() < 2);
  }

  @Test
  void aFolderThatForgotItsShardsIsRefusedAndNothingIsLost() throws Exception {
    open(8);
    sendToAll();
    MailboxFolder.keep(disk, SteppedMailbox.FOLDER, ShardLayout.of(2));
    assertThatThrownBy(() -> open(2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("set shard_count to what it was");
    open(8);
    assertThat(left()).isEqualTo(TOPICS);
  }
}
