package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ShardLoopTest {
  private final SplittableRandom random = new SplittableRandom(1);
  private final VirtualTime time = new VirtualTime();
  private final FaultyDisk disk = new FaultyDisk(time, random);
  private SteppedMailbox mailbox;

  @BeforeEach
  void open() throws Exception {
    mailbox = new SteppedMailbox(time, random, disk, true, 3);
  }

  @Test
  void anAnswerWaitsForTheDiskAndIsUnknownIfTheDiskFails() throws Exception {
    disk.failFlushAfter(0);
    Reply<Outcome> sent = mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    assertThat(code(sent.now())).isEqualTo("unavailable");
    assertThat(mailbox.scope.readiness().ready()).isFalse();
    Reply<Outcome> after = mailbox.send(0, "t", "k2", 0);
    mailbox.tree.settle();
    assertThat(code(after.now())).isEqualTo("unavailable");
  }

  @Test
  void aDuplicateIsToldOnlyWhenTheFirstIsOnTheDisk() throws Exception {
    disk.failFlushAfter(0);
    Reply<Outcome> first = mailbox.send(0, "t", "k", 0);
    Reply<Outcome> second = mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    assertThat(code(first.now())).isEqualTo("unavailable");
    assertThat(code(second.now()))
        .as("not a duplicate of what may be lost")
        .isEqualTo("unavailable");
  }

  @Test
  void manySendsShareAFlush() throws Exception {
    for (int i = 0; i < 50; i++) {
      mailbox.send(i % 2, "t", "k" + i, 0);
    }
    mailbox.tree.settle();
    String metrics = mailbox.scope.metrics().text();
    assertThat(metrics).contains("journal_records_flushed_total 50.0");
    assertThat(count(metrics, "journal_flush_seconds_count")).isLessThan(10);
  }

  @Test
  void aFullInboxRefuses() throws Exception {
    for (int i = 0; i < 64; i++) {
      assertThat(mailbox.send(0, "t", "k" + i, 0).now()).isNull();
    }
    Outcome refused = mailbox.send(0, "t", "one more", 0).now();
    assertThat(code(refused)).isEqualTo("saturated");
    assertThat(((Outcome.Refused) refused).fault().retryAfter()).isPresent();
    mailbox.tree.settle();
    assertThat(mailbox.shards.slots().getFirst().shard().living()).isEqualTo(64);
  }

  @Test
  @SeedRow("M16")
  void aWaitingReceiverIsServedAtTheMillisecondALeaseEnds() throws Exception {
    mailbox.send(0, "t", "k", 0);
    Reply<ReceiveResult> first = mailbox.receive(0, "t", 1000, false);
    mailbox.tree.settle();
    assertThat(messages(first)).isEqualTo(1);
    Reply<ReceiveResult> second = mailbox.receive(0, "t", 1000, true);
    mailbox.tree.advance(Duration.ofMillis(999));
    assertThat(second.now()).isNull();
    mailbox.tree.advance(Duration.ofMillis(1));
    assertThat(messages(second)).isEqualTo(1);
  }

  @Test
  @SeedRow({"M17", "M62", "M73"})
  void aLeaseThatEndsIsATimeoutOfAReceiveAndTheLoopSaysHowLateItWas() throws Exception {
    mailbox.send(0, "t", "k", 0);
    mailbox.receive(0, "t", 1000, false);
    mailbox.tree.settle();
    mailbox.tree.advance(Duration.ofSeconds(1));
    assertThat(mailbox.scope.metrics().text())
        .contains(
            "io_timeouts_total{op=\"recv\"} 1.0",
            "scanner_wake_jitter_ms_count{shard=\"0\"} 1",
            "scanner_wake_jitter_ms_sum{shard=\"0\"} 0.0");
  }

  @Test
  @SeedRow("M74")
  void aNackThatMakesTheMessageRestIsCounted() throws Exception {
    Reply<Outcome> sent = mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    Ulid id = ((Outcome.Accepted) sent.now()).id();
    mailbox.receive(0, "t", 1000, false);
    mailbox.shards.submit(0, new Command.Nack(id, null, "not now", 50L, TopicReach.ALL));
    Reply<ReceiveResult> next = mailbox.receive(0, "t", 1000, true);
    mailbox.tree.settle();
    assertThat(mailbox.scope.metrics().text()).contains("backoff_retries_total{op=\"nack\"} 1.0");
    mailbox.tree.advance(Duration.ofMillis(49));
    assertThat(next.now()).isNull();
    mailbox.tree.advance(Duration.ofMillis(1));
    assertThat(messages(next)).isEqualTo(1);
  }

  @Test
  @SeedRow({"M28", "M75"})
  void expiriesThatTheJournalDoesNotTakeAreTriedAgainAndCounted() throws Exception {
    double putOff = 0;
    for (int seed = 0; seed < 10; seed++) {
      var chance = new SplittableRandom(seed);
      var clock = new VirtualTime();
      var wide = new SteppedMailbox(clock, chance, new FaultyDisk(clock, chance), true, 1000);
      for (int i = 0; i < 150; i++) {
        wide.send(i % 2, "t", "k" + i, 0);
        wide.tree.settle();
        wide.receive(i % 2, "t", 1000, false);
        wide.tree.settle();
      }
      // All leases end in one moment, and the buffer has room for about half of them.
      wide.tree.advance(Duration.ofSeconds(1));
      putOff += count(wide.scope.metrics().text(), "requeue_backoff_total");
      wide.tree.advance(Duration.ofMillis(100));
      assertThat(wide.shards.slots()).allMatch(slot -> slot.shard().inFlight() == 0);
    }
    assertThat(putOff).isPositive();
  }

  @Test
  @SeedRow("M65")
  void aPayloadThatIsNotItsHashIsCounted() throws Exception {
    Reply<Outcome> sent = mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    Ulid id = ((Outcome.Accepted) sent.now()).id();
    ShardSlot slot = mailbox.shards.slots().getFirst();
    var died = new Fact.Died(id, 1, DeadLetterReason.INTEGRITY, "bits", 5);
    new ShardCommit(slot, mailbox.journal.facts(), mailbox.metrics).apply(died, 1, slot.shard());
    assertThat(mailbox.scope.metrics().text())
        .contains(
            "integrity_fail_total{reason=\"payload-hash\"} 1.0",
            "dlq_total{reason=\"integrity\",topic=\"t\"} 1.0");
  }

  @Test
  @SeedRow({"M29", "M64", "M100"})
  void deadLettersAreEventsAndASlowReaderMissesTheOldest() throws Exception {
    Broadcast<MailboxEvent>.Subscription slow =
        mailbox.shards.slots().getFirst().events().subscribe();
    for (int i = 0; i < 40; i++) {
      mailbox.send(0, "t", "k" + i, 0);
      mailbox.tree.settle();
    }
    int died = 0;
    while (died < 40) {
      Reply<ReceiveResult> got = mailbox.receive(0, "t", 1000, true);
      mailbox.tree.advance(Duration.ofSeconds(1));
      for (Envelope each : ((ReceiveResult.Messages) got.now()).envelopes()) {
        mailbox.shards.submit(
            0, new Command.Nack(each.message().id(), each.receipt(), "no", 0L, TopicReach.ALL));
        died += each.attempt() == 2 ? 1 : 0;
      }
      mailbox.tree.settle();
    }
    assertThat(slow.drain()).hasSize(SteppedMailbox.EVENTS);
    assertThat(mailbox.scope.metrics().text())
        .contains("bus_lagged_total{topic=\"events\"} " + (40 - SteppedMailbox.EVENTS) + ".0");
  }

  @Test
  void aReceiverWhoGaveUpGetsNothingAndNothingIsLeasedToHim() throws Exception {
    Reply<ReceiveResult> gone = mailbox.receive(0, "t", 1000, true);
    mailbox.tree.settle();
    assertThat(gone.claim()).isTrue();
    Reply<ReceiveResult> waiting = mailbox.receive(0, "t", 1000, true);
    mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    assertThat(gone.now()).isNull();
    assertThat(messages(waiting)).isEqualTo(1);
  }

  @Test
  void aReceiverWhosePeerIsGoneGetsNothing() throws Exception {
    Reply<ReceiveResult> gone = mailbox.receive(0, "t", 1000, true);
    mailbox.tree.settle();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> gone.await(Deadline.NEVER)).isInstanceOf(InterruptedException.class);
    mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    assertThat(mailbox.shards.slots().getFirst().shard().inFlight()).isZero();
  }

  @Test
  void theCeilingOfMessagesInFlightHoldsOverAllShards() throws Exception {
    for (int i = 0; i < 6; i++) {
      mailbox.send(i % 2, "t", "k" + i, 0);
    }
    mailbox.tree.settle();
    for (int i = 0; i < 3; i++) {
      Reply<ReceiveResult> got = mailbox.receive(i % 2, "t", 1000, false);
      mailbox.tree.settle();
      assertThat(messages(got)).isEqualTo(1);
    }
    Reply<ReceiveResult> more = mailbox.receive(1, "t", 1000, false);
    mailbox.tree.settle();
    assertThat(((ReceiveResult.Refused) more.now()).fault())
        .isInstanceOf(MailboxFault.Saturated.class);
    mailbox.tree.advance(Duration.ofSeconds(1));
    Reply<ReceiveResult> later = mailbox.receive(1, "t", 1000, false);
    mailbox.tree.settle();
    assertThat(messages(later)).isEqualTo(1);
  }

  @Test
  void aLoopThatFailsIsMadeAnewFromTheJournal() throws Exception {
    Reply<Outcome> sent = mailbox.send(0, "t", "k", 0);
    mailbox.tree.settle();
    Ulid id = ((Outcome.Accepted) sent.now()).id();
    var broken = new Reply<QueryResult<Integer>>(time);
    var bug =
        new ShardRequest.Look<Integer>(
            _ -> {
              throw new IllegalStateException("planted");
            },
            broken);
    mailbox.shards.slots().getFirst().inbox().trySend(bug);
    Reply<Outcome> queued = mailbox.send(0, "t", "k2", 0);
    mailbox.tree.settle();
    assertThat(queued.now()).as("waits for the restart").isNull();
    mailbox.tree.advance(Duration.ofSeconds(1));
    assertThat(((QueryResult.Refused<Integer>) broken.now()).fault().code())
        .isEqualTo("unavailable");
    assertThat(mailbox.shards.slots().getFirst().shard().topicOf(id)).contains("t");
    Reply<Outcome> acked = mailbox.shards.submit(0, new Command.Ack(id, null, TopicReach.ALL));
    mailbox.tree.settle();
    assertThat(acked.now()).isEqualTo(new Outcome.Done());
    assertThat(queued.now()).as("taken together with the bug").isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void aBatchTakesOnePlaceInEachInboxAndIsAnsweredInItsOrder() throws Exception {
    List<Reply<Outcome>> first = sends(40);
    List<Reply<Outcome>> acks = List.of();
    for (int i = 1; i < 64; i++) {
      acks = unknownAcks(300);
    }
    List<Reply<Outcome>> over = unknownAcks(3);
    assertThat(over).allSatisfy(each -> assertThat(code(each.now())).isEqualTo("saturated"));
    mailbox.tree.settle();
    assertThat(acks).allSatisfy(each -> assertThat(code(each.now())).isEqualTo("unknown-message"));
    List<Reply<Outcome>> again = sends(40);
    mailbox.tree.settle();
    for (int i = 0; i < first.size(); i++) {
      Ulid id = ((Outcome.Accepted) first.get(i).now()).id();
      assertThat(again.get(i).now()).isEqualTo(new Outcome.Accepted(id, true));
    }
  }

  private List<Reply<Outcome>> sends(int count) {
    return batch(count, i -> SteppedMailbox.command("t", "k" + i, 0));
  }

  private List<Reply<Outcome>> unknownAcks(int count) {
    Ulid nobody = Ulid.NONE;
    return batch(count, _ -> new Command.Ack(nobody, null, TopicReach.ALL));
  }

  /** Every other one at the other shard. */
  private List<Reply<Outcome>> batch(int count, IntFunction<Command> command) {
    return mailbox.shards.submitAll(
        IntStream.range(0, count)
            .mapToObj(i -> new Shards.ShardCommand(i % 2, command.apply(i)))
            .toList());
  }

  private static int messages(Reply<ReceiveResult> reply) {
    return ((ReceiveResult.Messages) reply.now()).envelopes().size();
  }

  private static String code(Outcome outcome) {
    return ((Outcome.Refused) outcome).fault().code();
  }

  private static double count(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
