package dev.ron.mailbox.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.AppendResult;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.mailbox.cluster.protocol.FactBatch;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.FactWriter;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.raft.RaftEntry;
import dev.ron.raft.RaftStateMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts of what the machines agreed on, and what a term may say. */
final class ReplicaTest {
  /** Of a thousand facts each: together more than one part of a copy. */
  private static final int ENTRIES = 60;

  @TempDir private Path folder;

  private Scope scope = Scope.of("mailbox", World.real(Log.silent()));
  private FileJournal file;

  private Replica open() throws Exception {
    return open(folder);
  }

  /** As a process that starts. */
  private Replica open(Path at) throws Exception {
    scope = Scope.of("mailbox", World.real(Log.silent()));
    file = MailboxFolder.open(scope, at, JournalSettings.in(MailboxFolder.journal(at)));
    var mark = new StateTransferMark(scope.disk(), at);
    var alone = new AloneJournal(scope.disk(), at.resolve("none"), at);
    return new Replica(scope, 0, List.of(0), file, mark, alone, 1, DiskUse.none());
  }

  private static ByteBuffer fact(int number) {
    return FactWriter.encode(new Fact.Leased(new Ulid(0, number), new Receipt(number), number));
  }

  private static RaftEntry entry(long decidedIn, long term, long index, long first, int facts) {
    List<ByteBuffer> records =
        IntStream.range(0, facts).mapToObj(i -> fact((int) first + i)).toList();
    return new RaftEntry(term, index, new FactBatch(decidedIn, first, records).encode());
  }

  private List<Long> handed(Replica replica) {
    return replica.replayed(0).receiveBatch(100).stream()
        .flatMap(each -> each.facts().stream())
        .map(ReplayBatch.At::position)
        .toList();
  }

  @Test
  void anEntryCountsOnlyInItsTermAndInItsPlace() throws Exception {
    Replica replica = open();
    replica.start(new byte[0], 0, -1);
    replica.apply(entry(1, 1, 1, 0, 2));
    assertThat(replica.cursor()).isEqualTo(2);
    replica.apply(entry(1, 1, 2, 3, 2));
    assertThat(replica.cursor()).as("behind a gap").isEqualTo(2);
    replica.apply(entry(1, 2, 3, 2, 2));
    assertThat(replica.cursor()).as("decided in a term that was over").isEqualTo(2);
    replica.apply(entry(2, 2, 4, 2, 1));
    assertThat(replica.cursor()).isEqualTo(3);
    assertThat(handed(replica)).containsExactly(0L, 1L, 2L);
  }

  /** Each entry here is one fact, so an index is also how many facts there are up to it. */
  @Test
  void aCopyThatIsBegunInTheMiddleOfAnEntryHasAllOfTheEntryItNames() throws Exception {
    Replica replica = open();
    replica.start(new byte[0], 0, -1);
    int room = replica.replayed(0).capacity();
    for (int i = 1; i <= room; i++) {
      replica.apply(entry(1, 1, i, i - 1, 1));
    }
    Thread log =
        scope
            .world()
            .threads()
            .start(
                "log",
                () -> {
                  try {
                    replica.apply(entry(1, 1, room + 1, room, 1));
                  } catch (IOException | InterruptedException stop) {
                    Thread.currentThread().interrupt();
                  }
                });
    while (log.getState() != Thread.State.TIMED_WAITING && log.isAlive()) {
      Thread.onSpinWait();
    }
    file.flushTask().run(scope.time().now());
    var head =
        ByteBuffer.wrap(
            StateTransfer.part(
                new LeaderRequest.Copy(StateTransfer.HEAD, 0),
                replica,
                replica.journal().journal()));
    head.getLong();
    long index = head.getLong();
    head.getLong();
    assertThat(head.getLong()).isGreaterThanOrEqualTo(index);
    assertThat(handed(replica)).hasSize(100);
    assertThat(log.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void whatTheJournalHasIsNotTakenTwiceAfterARestart() throws Exception {
    Replica before = open();
    before.start(new byte[0], 0, -1);
    before.apply(entry(1, 1, 1, 0, 2));
    before.apply(entry(1, 1, 2, 2, 1));
    file.flushTask().run(scope.time().now());
    file.flushTask().finish(scope.time().now());

    Replica after = open();
    after.start(new byte[0], 0, -1);
    after.apply(entry(1, 1, 1, 0, 2));
    after.apply(entry(1, 1, 2, 2, 3));
    assertThat(after.cursor()).isEqualTo(5);
    assertThat(handed(after)).as("one of the second entry was known").containsExactly(3L, 4L);
  }

  @Test
  void aReignPaysForItsOwnTermOnlyAndIsSilentOnceItIsOver() throws Exception {
    Replica replica = open();
    replica.start(new byte[0], 0, -1);
    replica.lead(3);
    LeaderTerm leaderTerm = replica.leaderTerm().value().orElseThrow();
    assertThat(leaderTerm.append(List.of(fact(0), fact(1))))
        .isEqualTo(new AppendResult.Taken(0, 2));
    assertThat(leaderTerm.append(List.of(fact(2)))).isEqualTo(new AppendResult.Taken(2, 3));
    FactBatch all = java.util.Objects.requireNonNull(leaderTerm.take());
    assertThat(all.term()).isEqualTo(3);
    assertThat(all.records()).hasSize(3);

    // Another leader takes the same positions before ours are agreed on.
    replica.apply(entry(4, 4, 1, 0, 3));
    assertThat(replica.decides()).isFalse();
    assertThat(leaderTerm.flushed().value().position()).as("nothing of ours").isZero();
    assertThat(leaderTerm.flushed().value().fault()).isPresent();
    leaderTerm.committed(3);
    assertThat(leaderTerm.flushed().value().position()).as("nor later").isZero();
    assertThat(leaderTerm.append(List.of(fact(3)))).isInstanceOf(AppendResult.Refused.class);
    assertThat(leaderTerm.take()).isNull();
  }

  @Test
  void aReignThatWentOnSaysHowFarItGot() throws Exception {
    Replica replica = open();
    replica.start(new byte[0], 0, -1);
    replica.lead(3);
    LeaderTerm leaderTerm = replica.leaderTerm().value().orElseThrow();
    leaderTerm.append(List.of(fact(0)));
    FactBatch first = java.util.Objects.requireNonNull(leaderTerm.take());
    replica.apply(new RaftEntry(3, 1, first.encode()));
    assertThat(leaderTerm.flushed().value().position()).isEqualTo(1);
    long changes = replica.journal().replication().termChanges();
    replica.follow();
    assertThat(replica.journal().replication().termChanges())
        .as("a snapshot under way is dropped")
        .isGreaterThan(changes);
    assertThat(leaderTerm.flushed().value().position()).isEqualTo(1);
  }

  @Test
  void aCopyThatWasBrokenOffGoesOnAndIsKnownAfterARestart() throws Exception {
    Replica leader = open();
    leader.start(new byte[0], 0, -1);
    for (int i = 0; i < ENTRIES; i++) {
      leader.apply(entry(1, 1, 1 + i, 1000L * i, 1000));
      leader.replayed(0).receiveBatch(1);
    }
    FileJournal leaders = file;
    Path other = folder.resolve("other");
    Replica joins = open(other);
    FileJournal copy = file;
    joins.start(new byte[0], 0, -1);
    var asked = new ArrayList<LeaderRequest.Copy>();
    joins.peerCall(
        (_, question) -> {
          var part = (LeaderRequest.Copy) LeaderRequest.decode(ByteBuffer.wrap(question));
          asked.add(part);
          if (asked.size() == 3) {
            throw new IOException("the leader is gone");
          }
          return StateTransfer.part(part, leader, leaders);
        });
    var flushing = new Flushing(scope, List.of(leaders, copy));
    try (flushing) {
      assertThatThrownBy(() -> joins.fetch("a")).hasMessage("the leader is gone");
      RaftStateMachine.Fetched fetched = joins.fetch("b");
      assertThat(ByteBuffer.wrap(fetched.kept()).getLong()).isEqualTo(1000L * ENTRIES);
      assertThat(asked.get(3).kind())
          .as("how far the other leader is")
          .isEqualTo(StateTransfer.HEAD);
      assertThat(asked.get(4)).as("goes on where it broke off").isEqualTo(asked.get(2));
      assertThat(copy.flushed().value().position()).isEqualTo(1000L * ENTRIES);
    }

    // Killed before the shared log knew: the mark says what the journal is worth.
    Replica again = open(other);
    again.start(new byte[0], 0, -1);
    RaftStateMachine.Fetched known = again.fetch("c");
    assertThat(known.index()).isEqualTo(ENTRIES);
    again.start(known.kept(), known.term(), known.index());
    assertThatThrownBy(() -> again.fetch("c")).hasMessageContaining("empty this machine's folder");
  }

  /** No round of snapshots begins during a copy, and one may end in it. */
  @Test
  void aSnapshotThatIsReplacedWhileItIsCopiedIsCopiedAnew() throws Exception {
    Replica leader = open();
    leader.start(new byte[0], 0, -1);
    leader.apply(entry(1, 1, 1, 0, 3));
    FileJournal leaders = file;
    leaders.flushTask().run(scope.time().now());
    byte[] old = new byte[2 << 20];
    byte[] fresh = new byte[2 << 20];
    Arrays.fill(fresh, (byte) 1);
    leaders.snapshot(1, 0, out -> out.write(old));
    Replica joins = open(folder.resolve("other"));
    FileJournal copy = file;
    joins.start(new byte[0], 0, -1);
    var parts = new AtomicInteger();
    joins.peerCall(
        (_, question) -> {
          var part = (LeaderRequest.Copy) LeaderRequest.decode(ByteBuffer.wrap(question));
          if (part.kind() == StateTransfer.SNAPSHOT && parts.incrementAndGet() == 2) {
            leaders.snapshot(2, 0, out -> out.write(fresh));
          }
          return StateTransfer.part(part, leader, leaders);
        });
    try (var _ = new Flushing(scope, List.of(leaders, copy))) {
      assertThatThrownBy(() -> joins.fetch("a")).hasMessageContaining("another snapshot");
      assertThat(copy.newestSnapshot()).isEmpty();
      joins.fetch("a");
    }
    try (InputStream in = copy.newestSnapshot().orElseThrow().open()) {
      assertThat(in.readAllBytes()).isEqualTo(fresh);
    }
  }

  @Test
  void aCopyThatWasCutOffByAKillIsDropped() throws Exception {
    open().start(new byte[0], 0, -1);
    assertThat(file.append(List.of(fact(0)))).isInstanceOf(AppendResult.Taken.class);
    file.flushTask().run(scope.time().now());
    file.flushTask().finish(scope.time().now());
    var mark = new StateTransferMark(scope.disk(), folder);
    assertThat(mark.dropUnfinished()).as("a journal that is not a copy").isFalse();
    assertThat(open().cursor()).isZero();
    assertThat(file.recovered().next()).isEqualTo(1);
    mark.begin();
    assertThat(mark.dropUnfinished()).isTrue();
    open();
    assertThat(file.recovered().next()).isZero();
    assertThat(mark.dropUnfinished()).isFalse();
  }

  /** Flushes journals until it is closed, as their tasks do. */
  private static final class Flushing implements AutoCloseable {
    private final Thread thread;

    Flushing(Scope scope, List<FileJournal> journals) {
      thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      for (FileJournal each : journals) {
                        each.flushTask().run(scope.time().now());
                      }
                      LockSupport.parkNanos(1_000_000);
                    }
                  });
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}
