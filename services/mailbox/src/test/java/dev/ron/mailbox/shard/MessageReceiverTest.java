package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.testkit.FaultyDisk;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A poll beside shards that are too busy to hear it; their inboxes are played by the test. */
final class MessageReceiverTest {
  private static final ReceiveResult NOTHING = new ReceiveResult.Messages(List.of());
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** Of real time; how long a busy machine may keep the poll's thread from running. */
  private static final long LIMIT_SECONDS = 60;

  private final SplittableRandom random = new SplittableRandom(1);
  private final VirtualTime time = new VirtualTime();
  private SteppedMailbox mailbox;

  @BeforeEach
  void open() throws Exception {
    mailbox = new SteppedMailbox(time, random, new FaultyDisk(time, random), true, 3);
  }

  private String topicOf(int shard) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> "t" + i)
        .filter(topic -> mailbox.shards.topics().mainShard(topic) == shard)
        .findFirst()
        .orElseThrow();
  }

  private void fill(int shard) {
    var inbox = mailbox.shards.slots().get(shard).inbox();
    while (inbox.depth() < inbox.capacity()) {
      mailbox.send(shard, "busy", "k" + inbox.depth(), 0);
    }
  }

  private CompletableFuture<ReceiveResult> poll(String topic) {
    var result = new CompletableFuture<ReceiveResult>();
    Thread.startVirtualThread(
        () -> {
          try {
            var request = new ReceiveRequest(topic, 1000, 1, 1 << 20);
            result.complete(mailbox.shards.receive(request, WAIT));
          } catch (InterruptedException stop) {
            result.completeExceptionally(stop);
          }
        });
    return result;
  }

  /** The next receive that a shard is asked for. */
  private ShardRequest.Receive asked(int shard) throws InterruptedException {
    var inbox = mailbox.shards.slots().get(shard).inbox();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (System.nanoTime() < end) {
      for (InboxItem each : inbox.receiveBatch(1)) {
        if (each instanceof ShardRequest.Receive receive) {
          return receive;
        }
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("shard " + shard + " was not asked");
  }

  /**
   * Moves the time to the moment that the poll waits for, never past it: time that ran ahead of the
   * poll's thread would end the poll.
   */
  private void untilThePollLooksAgainAt(int shard) {
    var inbox = mailbox.shards.slots().get(shard).inbox();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (inbox.depth() == 0 && System.nanoTime() < end) {
      time.nextWake().filter(VirtualTime.START.plus(WAIT)::isAfter).ifPresent(time::advanceTo);
      Thread.onSpinWait();
    }
  }

  private static void answer(ShardRequest.Receive ask, ReceiveResult result) {
    assertThat(ask.claim()).isTrue();
    ask.reply().answer(result);
  }

  @Test
  void aFullShardDoesNotRefuseThePollOfATopicThatLivesElsewhere() throws Exception {
    fill(0);
    CompletableFuture<ReceiveResult> result = poll(topicOf(1));
    answer(asked(1), NOTHING);
    ShardRequest.Receive parked = asked(1);
    assertThat(parked.waits()).isTrue();
    assertThat(result).isNotDone();
    var found = new ReceiveResult.Refused(new MailboxFault.Unavailable("stands for a message"));
    answer(parked, found);
    assertThat(result.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isSameAs(found);
  }

  @Test
  void theFullShardHearsOfThePollWhenItHasRoom() throws Exception {
    fill(0);
    CompletableFuture<ReceiveResult> result = poll(topicOf(1));
    answer(asked(1), NOTHING);
    ShardRequest.Receive parked = asked(1);
    assertThat(mailbox.shards.slots().get(0).inbox().receiveBatch(1000)).hasSize(64);
    untilThePollLooksAgainAt(0);
    ShardRequest.Receive late = asked(0);
    assertThat(late.reply()).isSameAs(parked.reply());
    answer(late, NOTHING);
    assertThat(result.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isSameAs(NOTHING);
  }

  @Test
  void aPollThatNoShardHearsIsRefused() throws Exception {
    fill(0);
    fill(1);
    assertThat(poll(topicOf(1)).get(LIMIT_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ReceiveResult.Refused.class);
  }
}
