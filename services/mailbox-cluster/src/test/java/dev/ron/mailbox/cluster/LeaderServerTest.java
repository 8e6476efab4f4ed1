package dev.ron.mailbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.cluster.protocol.OutcomeCodec;
import dev.ron.mailbox.cluster.replica.AloneJournal;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.cluster.replica.StateTransferMark;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.mailbox.quota.QueuedBytes;
import dev.ron.mailbox.shard.InboxItem;
import dev.ron.mailbox.shard.Leadership;
import dev.ron.mailbox.shard.MailboxLimits;
import dev.ron.mailbox.shard.ReceiveRequest;
import dev.ron.mailbox.shard.ShardSlot;
import dev.ron.mailbox.shard.Shards;
import dev.ron.mailbox.shard.SharedLimit;
import dev.ron.mailbox.shard.TopicShards;
import dev.ron.testkit.UnitLedger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader that is asked for more than it answers at a time. */
final class LeaderServerTest {
  @TempDir private Path folder;

  private final UnitLedger ledger = new UnitLedger();
  private Scope scope = scope();

  private Scope scope() {
    return Scope.of("mailbox", World.real(Log.silent()))
        .metered(ledger)
        .shared(() -> new TenantTable(List.of(new TenantTerms("quiet", 4, Map.of()))));
  }

  private Replica replica() throws IOException {
    Path group = Files.createTempDirectory(folder, "group");
    var settings = JournalSettings.in(MailboxFolder.journal(group));
    return new Replica(
        scope,
        0,
        List.of(0),
        MailboxFolder.open(scope, group, settings),
        new StateTransferMark(scope.disk(), group),
        new AloneJournal(scope.disk(), group.resolve("none"), group),
        1,
        DiskUse.none());
  }

  private CompletableFuture<byte[]> ask(int places, int copies, LeaderRequest question)
      throws IOException {
    scope = scope();
    var here = new Shards(scope, new TopicShards(1), List.of(), Leadership.LOCAL);
    return new LeaderServer(scope, here, places, copies)
        .answer(replica(), ByteBuffer.wrap(LeaderRequest.encode(question, "")));
  }

  /** A shard whose loop does not run, so that what it was asked for stays in its inbox. */
  private ShardSlot slot(Replica replica, TopicShards topics) {
    var limits =
        new ShardLimits(
            100,
            100,
            1000,
            100,
            100,
            new Attempts(2, new Backoff.FullJitter(Duration.ofMillis(1), Duration.ofMillis(2))));
    var bounds =
        new MailboxLimits(
            64,
            64,
            new SharedLimit("global_inflight", 100),
            new SharedLimit("index_bytes", 1 << 20),
            new SharedLimit("idem_bytes", 1 << 20),
            0,
            1 << 20,
            () -> false,
            1,
            new QueuedBytes(scope));
    Broadcast<MailboxEvent> events = Broadcast.of(scope, "events", 4);
    return new ShardSlot(scope, 0, limits, bounds, replica.journal(), topics, events);
  }

  /** What came from other machines takes its turns as what came in here does. */
  @Test
  void tenantsOfOtherMachinesTakeTurnsAtTheShard() throws Exception {
    Replica replica = replica();
    var topics = new TopicShards(1);
    ShardSlot slot = slot(replica, topics);
    var here = new Shards(scope, topics, List.of(slot), Leadership.LOCAL);
    var server = new LeaderServer(scope, here);
    for (int i = 0; i < 8; i++) {
      var _ = server.answer(replica, ByteBuffer.wrap(receive("loud" + i, "loud")));
      awaitInside(slot, i + 1);
    }
    var _ = server.answer(replica, ByteBuffer.wrap(receive("quiet", "quiet")));
    awaitInside(slot, 9);
    byte[] many = LeaderRequest.together(List.of(find("more", "loud"), find("second", "quiet")));
    var _ = server.answer(replica, ByteBuffer.wrap(many));
    awaitInside(slot, 11);
    List<InboxItem> order = slot.inbox().receiveBatch(20);
    assertThat(order).hasSize(11);
    assertThat(order.subList(0, 4)).anyMatch(each -> each.toString().contains("quiet"));
    assertThat(order.subList(0, 5)).anyMatch(each -> each.toString().contains("second"));
    assertThat(ledger.units()).as("it is charged where it came in").isEmpty();
  }

  private static byte[] receive(String topic, String tenant) {
    var request = new ReceiveRequest(topic, 1000, 1, 1000);
    return LeaderRequest.encode(new LeaderRequest.Receive(0, request, 0, 20_000, tenant), "");
  }

  private static byte[] find(String queue, String tenant) {
    var command = new QueueCommand.Find(queue);
    return LeaderRequest.encode(new LeaderRequest.Do(0, command, 20_000, tenant), "");
  }

  private static void awaitInside(ShardSlot slot, int count) {
    long giveUp = System.nanoTime() + 20_000_000_000L;
    while (slot.inbox().depth() < count) {
      assertThat(System.nanoTime()).as("%d are in the inbox", count).isLessThan(giveUp);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void whatIsToBeDoneIsRefusedByAnOutcome() throws Exception {
    var receive = new LeaderRequest.Receive(0, new ReceiveRequest("t", 1, 1, 1), 0, 1, "");
    byte[] answer = ask(0, 0, receive).get(20, TimeUnit.SECONDS);
    assertThat(OutcomeCodec.decode(answer))
        .singleElement()
        .matches(
            each ->
                each instanceof Outcome.Refused(MailboxFault fault)
                    && fault.code().equals("saturated"));
  }

  /** Their answers are bytes of another kind, and these would be taken for some. */
  @Test
  void aTopicAndAPartOfTheStateAreNotAnswered() {
    for (LeaderRequest each :
        List.of(new LeaderRequest.TopicOf(0, new Ulid(0, 1)), new LeaderRequest.Copy(2, 0))) {
      assertThatThrownBy(() -> ask(0, 0, each).get(20, TimeUnit.SECONDS))
          .as(each.toString())
          .hasRootCauseMessage("too many machines ask");
    }
  }

  @Test
  void aMachineThatJoinsDoesNotWaitForThoseThatWaitForMessages() throws Exception {
    assertThat(ask(0, 1, new LeaderRequest.Copy(1, 0)).get(20, TimeUnit.SECONDS)).isEmpty();
  }
}
