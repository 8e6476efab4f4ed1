package dev.ron.kernel.channel;

import static dev.ron.kernel.channel.Overflow.AWAIT;
import static dev.ron.kernel.channel.Overflow.DROP_OLDEST;
import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.VirtualScope;
import dev.ron.kernel.channel.SendResult.Closed;
import dev.ron.kernel.channel.SendResult.Full;
import dev.ron.kernel.channel.SendResult.Sent;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ChannelTest {
  private final VirtualScope virtual = VirtualScope.seeded(1);
  private final List<String> dropped = new ArrayList<>();

  @Test
  void aFullChannelThatRejectsTellsTheSender() {
    var channel = channel(2, REJECT_NEW);
    assertThat(channel.trySend("a")).isInstanceOf(Sent.class);
    assertThat(channel.trySend("b")).isInstanceOf(Sent.class);
    assertThat(channel.trySend("c")).isEqualTo(new Full("work", 2));
    assertThat(row()).isEqualTo(new ChannelRow("work", "channel", 2, "reject new", 2, 0, 1, 2));
    assertThat(channel.receiveBatch(9)).containsExactly("a", "b");
  }

  @Test
  void aFullChannelThatDropsHandsTheOldestBack() {
    var channel = channel(2, DROP_OLDEST);
    List.of("a", "b", "c").forEach(channel::trySend);
    assertThat(dropped).containsExactly("a");
    assertThat(channel.receiveBatch(9)).containsExactly("b", "c");
    assertThat(row().dropped()).isEqualTo(1);
    assertThat(virtual.scope().metrics().text())
        .contains("queue_dropped_total{queue=\"work\"} 1.0", "queue_depth{queue=\"work\"} 0.0");
  }

  @Test
  void siblingsAreOneQueueAndTheirNumberIsALabel() {
    for (int shard = 0; shard < 2; shard++) {
      var inbox = Channel.<String>bounded(virtual.scope(), "inbox-" + shard, 2, DROP_OLDEST);
      List.of("a", "b", "c").forEach(inbox::trySend);
    }
    assertThat(virtual.scope().metrics().text())
        .contains(
            "queue_depth{queue=\"inbox\",shard=\"0\"} 2.0",
            "queue_depth{queue=\"inbox\",shard=\"1\"} 2.0",
            "queue_dropped_total{queue=\"inbox\"} 2.0");
  }

  @Test
  void aFullChannelThatAwaitsTakesTheItemWhenThereIsRoom() throws Exception {
    var channel = channel(1, AWAIT);
    channel.trySend("a");
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var late = CompletableFuture.supplyAsync(() -> sending(channel, "b", Deadline.NEVER), pool);
      assertThat(channel.receive(Deadline.NEVER)).isEqualTo(new ReceiveOutcome.Item<>("a"));
      assertThat(channel.receive(Deadline.NEVER)).isEqualTo(new ReceiveOutcome.Item<>("b"));
      assertThat(late.join()).isInstanceOf(Sent.class);
    }
  }

  @Test
  void aSenderThatAwaitsGivesUpExactlyAtItsDeadline() throws Exception {
    var channel = channel(1, AWAIT);
    channel.trySend("a");
    var deadline = Deadline.in(Duration.ofMillis(250), virtual.time());
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var late = CompletableFuture.supplyAsync(() -> sending(channel, "b", deadline), pool);
      awaitWaiter();
      virtual.time().advance(Duration.ofMillis(249));
      assertThat(late).isNotDone();
      virtual.time().advance(Duration.ofMillis(1));
      assertThat(late.join()).isEqualTo(new Full("work", 1));
    }
  }

  @Test
  void aReceiverGivesUpExactlyAtItsDeadline() throws Exception {
    var channel = channel(1, REJECT_NEW);
    var deadline = Deadline.in(Duration.ofSeconds(1), virtual.time());
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = CompletableFuture.supplyAsync(() -> receiving(channel, deadline), pool);
      awaitWaiter();
      virtual.time().advance(Duration.ofMillis(999));
      assertThat(waiting).isNotDone();
      virtual.time().advance(Duration.ofMillis(1));
      assertThat(waiting.join()).isEqualTo(new ReceiveOutcome.Late<String>());
    }
  }

  @Test
  void aClosedChannelTakesNothingAndGivesWhatItHas() throws Exception {
    var channel = channel(2, REJECT_NEW);
    channel.trySend("a");
    channel.close();
    assertThat(channel.trySend("b")).isEqualTo(new Closed("work"));
    assertThat(channel.ended()).isFalse();
    assertThat(channel.receive(Deadline.NEVER)).isEqualTo(new ReceiveOutcome.Item<>("a"));
    assertThat(channel.receive(Deadline.NEVER)).isEqualTo(new ReceiveOutcome.Ended<String>());
    assertThat(channel.ended()).isTrue();
  }

  @Test
  void closingWakesEveryWaiter() throws Exception {
    var channel = channel(1, AWAIT);
    channel.trySend("a");
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var late = CompletableFuture.supplyAsync(() -> sending(channel, "b", Deadline.NEVER), pool);
      channel.close();
      assertThat(late.join()).isIn(new Closed("work"));
    }
  }

  @Test
  void abandoningDropsAndCountsWhatIsLeft() {
    var channel = channel(4, REJECT_NEW);
    List.of("a", "b").forEach(channel::trySend);
    assertThat(channel.abandon()).isEqualTo(2);
    assertThat(dropped).containsExactly("a", "b");
    assertThat(channel.abandon()).isZero();
    assertThat(channel.trySend("c")).isInstanceOf(Closed.class);
  }

  @Test
  void aPoolShowsWhatIsOutAndDropsNothingAtTheEnd() {
    Channel<String> pool = Channel.pool(virtual.scope(), "lanes", List.of("a", "b"));
    assertThat(shown()).isEqualTo(new ChannelRow("lanes", "pool", 2, "await", 0, 0, 0));
    String lent = pool.tryReceive();
    assertThat(shown().depth()).isEqualTo(1);
    pool.trySend(lent);
    assertThat(shown().depth()).isZero();
    assertThat(virtual.scope().registry().abandonChannels()).isZero();
    assertThat(pool.trySend("c")).isInstanceOf(Closed.class);
  }

  private ChannelRow shown() {
    return virtual.scope().registry().channels().getFirst();
  }

  @Test
  void twoChannelsOfAServiceNeverShareAName() {
    channel(1, REJECT_NEW);
    assertThatThrownBy(() -> channel(1, REJECT_NEW)).hasMessage("test has two channels named work");
  }

  private Channel<String> channel(int capacity, Overflow overflow) {
    return Channel.bounded(virtual.scope(), "work", capacity, overflow, dropped::add);
  }

  private ChannelRow row() {
    return virtual.scope().registry().channels().getFirst();
  }

  /** The other thread has reached its wait once virtual time knows of it. */
  private void awaitWaiter() {
    while (virtual.time().nextWake().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private static SendResult sending(Channel<String> channel, String item, Deadline deadline) {
    try {
      return channel.send(item, deadline);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ReceiveOutcome<String> receiving(Channel<String> channel, Deadline deadline) {
    try {
      return channel.receive(deadline);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
