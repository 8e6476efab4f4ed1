package dev.ron.journal.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.AppendResult;
import dev.ron.journal.CutDisk;
import dev.ron.journal.Durability;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalContract;
import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import dev.ron.journal.RecoveryReport;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The journal in files, on a disk that can be made to fail. */
class FileJournalTest extends JournalContract {
  private static final Deadline NOW = new Deadline(Instant.MIN);

  private final Rig rig = new Rig(1);

  @Override
  public Journal journal() throws IOException {
    return rig.open();
  }

  @Override
  public void flush() {
    rig.flush();
  }

  @Test
  void nothingIsDurableBeforeTheFlush() throws Exception {
    rig.open();
    rig.append("a");
    assertThat(rig.journal.await(1, NOW)).isInstanceOf(Durability.Late.class);
    assertThat(rig.replayed()).isEmpty();
    rig.flush();
    assertThat(rig.journal.await(1, NOW)).isInstanceOf(Durability.Durable.class);
  }

  @Test
  void oneFlushServesEverybodyWhoWaits() throws Exception {
    rig.open();
    rig.faulty.failFlushAfter(1);
    rig.append("a");
    rig.append("b", "c");
    rig.append("d");
    rig.flush();
    assertThat(rig.flushed()).isEqualTo(4);
  }

  /** It reads ahead, where a file that has grown for later records still has zeros. */
  @Test
  void aCursorSeesWhatWasFlushedSinceItLastRead() throws Exception {
    rig.settings = Rig.SMALL.sized(1 << 20, 64 << 10, 512, 256 << 10);
    rig.open();
    Journal.Cursor cursor = rig.journal.cursor();
    for (int i = 0; i < 30; i++) {
      rig.flushEach("record " + i);
      assertThat(UTF_8.decode(cursor.read(i)).toString()).isEqualTo("record " + i);
      assertThat(UTF_8.decode(cursor.read(0)).toString()).isEqualTo("record 0");
    }
  }

  @Test
  void openingAgainGoesOnWhereItEnded() throws Exception {
    rig.open();
    rig.flushEach("a", "b");
    rig.append("c");
    rig.reopen();
    assertThat(rig.journal.recovered())
        .isEqualTo(new RecoveryReport(0, 3, java.util.Optional.empty(), List.of()));
    assertThat(rig.append("d")).isEqualTo(new AppendResult.Taken(3, 4));
    rig.flush();
    rig.reopen();
    assertThat(rig.replayed()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void segmentsAreNamedByTheirFirstRecord() throws Exception {
    rig.open();
    for (int i = 0; i < 10; i++) {
      rig.flushEach("x".repeat(500));
    }
    assertThat(rig.faulty.list(Rig.FOLDER).stream().map(path -> path.getFileName().toString()))
        .containsExactly(
            "00000000000000000000.log",
            "00000000000000000003.log",
            "00000000000000000006.log",
            "00000000000000000009.log");
    rig.settings = rig.settings.verifiedAtOpen(true);
    rig.reopen();
    assertThat(rig.replayed()).hasSize(10);
  }

  @Test
  void zerosAheadOfTheRecordsAreNoRecords() throws Exception {
    rig.settings = Rig.SMALL.sized(2048, 1024, 512, 700);
    rig.open();
    rig.flushEach("a");
    assertThat(rig.size(rig.lastSegment())).isEqualTo(32 + 21 + 700);
    rig.faulty.crash();
    rig.open();
    assertThat(rig.journal.recovered().tornTail()).isEmpty();
    rig.flushEach("b", "c");
    rig.reopen();
    assertThat(rig.replayed()).containsExactly("a", "b", "c");
  }

  @Test
  void aFailedFlushIsTheEnd() throws Exception {
    rig.open();
    rig.flushEach("a");
    rig.faulty.failFlushAfter(0);
    rig.append("b");
    rig.flush();
    assertThat(rig.journal.await(1, NOW)).isInstanceOf(Durability.Durable.class);
    assertThat(((Durability.Unknown) rig.journal.await(2, NOW)).fault())
        .isInstanceOf(JournalFault.Poisoned.class);
    assertThat(((AppendResult.Refused) rig.append("c")).fault())
        .isInstanceOf(JournalFault.Poisoned.class);
    rig.flush();
    rig.flush();
    assertThat(rig.flushed()).as("the disk works again and still").isEqualTo(1);
    assertThat(rig.scope.readiness().missing().get("journal"))
        .contains("Input/output error on flush", "must restart");
    rig.close();
    assertThat(rig.flushed()).isEqualTo(1);
    rig.faulty.crash();
    rig.open();
    assertThat(rig.replayed()).containsExactly("a");
  }

  @Test
  void aFullDiskStallsUntilThereIsRoom() throws Exception {
    rig.open();
    rig.flushEach("a");
    rig.faulty.capacity(rig.size(rig.lastSegment()));
    rig.append("b");
    rig.flush();
    assertThat(rig.journal.await(2, NOW)).isInstanceOf(Durability.Late.class);
    assertThat(rig.scope.readiness().missing().get("journal")).contains("No space left");
    assertThat(rig.append("c")).as("the buffer has room").isInstanceOf(AppendResult.Taken.class);
    rig.faulty.capacity(Long.MAX_VALUE);
    rig.time.advance(Duration.ofSeconds(1));
    rig.flush();
    assertThat(rig.flushed()).isEqualTo(2);
    assertThat(rig.scope.readiness().missing()).doesNotContainKey("journal");
    rig.flush();
    rig.reopen();
    assertThat(rig.replayed()).containsExactly("a", "b", "c");
  }

  @Test
  void aWriteThatFailedHalfwayIsRepeatedInItsPlace() throws Exception {
    rig.open();
    for (int i = 0; i < 20; i++) {
      rig.faulty.failWriteAfter(0);
      rig.append("x".repeat(300) + i);
      rig.flush();
      assertThat(rig.flushed()).isEqualTo(i);
      rig.time.advance(Duration.ofSeconds(1));
      rig.flush();
      assertThat(rig.flushed()).isEqualTo(i + 1);
    }
    rig.settings = rig.settings.verifiedAtOpen(true);
    rig.reopen();
    assertThat(rig.replayed()).hasSize(20);
  }

  @Test
  void aReadOnlyDiskStallsARunningJournalAndIsRefusedAtOpen() throws Exception {
    rig.open();
    rig.flushEach("a");
    rig.faulty.readOnly(true);
    rig.append("b");
    rig.flush();
    assertThat(rig.scope.readiness().missing().get("journal")).contains("Read-only");
    rig.faulty.crash();
    assertThatThrownBy(rig::open).hasMessageContaining("Read-only");
  }

  @Test
  void drainingWithAFullDiskTellsWhoWaits() throws Exception {
    rig.open();
    rig.faulty.capacity(0);
    rig.append("a");
    rig.close();
    assertThat(((Durability.Unknown) rig.journal.await(1, NOW)).fault())
        .isInstanceOf(JournalFault.Closed.class);
  }

  @Test
  void anIntervalFlushesThatOftenAndNoOftener() throws Exception {
    rig.settings = Rig.SMALL.flushedEvery(Duration.ofMillis(10));
    rig.open();
    rig.append("a");
    rig.flush();
    rig.append("b");
    Next next = rig.journal.flushTask().run(rig.time.now());
    assertThat(next).isEqualTo(Next.at(rig.time.now().plusMillis(10)));
    assertThat(rig.flushed()).isEqualTo(1);
    rig.time.advance(Duration.ofMillis(10));
    rig.flush();
    assertThat(rig.flushed()).isEqualTo(2);
  }

  @Test
  void whoWasReleasedIsWaitedForUpToAQuarterOfAFlush() throws Exception {
    var slow = new CutDisk(rig.faulty, rig.random);
    rig.disk = slow;
    rig.open();
    slow.onFlush(() -> rig.time.advance(Duration.ofMillis(4)));
    rig.append("a", "b");
    rig.flush();
    assertThat(rig.flushed()).as("the first finds nobody to wait for").isEqualTo(2);
    rig.append("c");
    Next.Await gathering = (Next.Await) rig.journal.flushTask().run(rig.time.now());
    assertThat(gathering.noLaterThan()).isEqualTo(rig.time.now().plusMillis(1));
    assertThat(gathering.inboxes()).noneMatch(Inbox::ready);
    rig.append("d");
    assertThat(gathering.inboxes()).as("all are back").allMatch(Inbox::ready);
    rig.flush();
    assertThat(rig.flushed()).isEqualTo(4);
    rig.append("e");
    rig.flush();
    rig.time.advance(Duration.ofMillis(1));
    rig.flush();
    assertThat(rig.flushed()).as("one stayed away").isEqualTo(5);
    rig.append("f");
    rig.flush();
    assertThat(rig.flushed()).as("and is not waited for again").isEqualTo(6);
  }

  @Test
  void aDamagedSnapshotFallsBackToTheOneBeforeAndSaysSo() throws Exception {
    rig.open();
    rig.flushEach("a", "b", "c");
    rig.journal.snapshot(1, out -> out.write('1'));
    rig.journal.snapshot(2, out -> out.write('2'));
    rig.close();
    var newest = SegmentNames.of(Rig.FOLDER, 2, SegmentNames.SNAPSHOT);
    for (long bit = 0; bit < rig.size(newest) * 8; bit++) {
      rig.faulty.flipBit(newest, bit);
      rig.open();
      assertThat(rig.journal.recovered().snapshotsRefused())
          .as("bit %d", bit)
          .hasSize(1)
          .allSatisfy(refused -> assertThat(refused.file()).isEqualTo(newest));
      assertThat(rig.journal.newestSnapshot().map(StoredSnapshot::position)).hasValue(1L);
      assertThat(Rig.replayed(rig.journal, 1)).containsExactly("b", "c");
      rig.close();
      rig.faulty.flipBit(newest, bit);
    }
    rig.open();
    assertThat(rig.journal.newestSnapshot().map(StoredSnapshot::position)).hasValue(2L);
  }

  @Test
  void aSnapshotThatFailsLeavesTheOneBefore() throws Exception {
    rig.open();
    rig.flushEach("a", "b");
    rig.journal.snapshot(1, out -> out.write('1'));
    rig.faulty.failFlushAfter(0);
    assertThatThrownBy(() -> rig.journal.snapshot(2, out -> out.write('2')))
        .isInstanceOf(IOException.class);
    assertThat(rig.journal.newestSnapshot().map(StoredSnapshot::position)).hasValue(1L);
    rig.flushEach("c");
    assertThat(rig.flushed()).as("the log itself is well").isEqualTo(3);
    assertThat(rig.faulty.list(Rig.FOLDER)).hasSize(2);
  }

  @Test
  void recordsFromBeforeARestartAreReadByPositionAndChecked() throws Exception {
    var rig = Rig.opened();
    for (int i = 0; i < 30; i++) {
      rig.flushEach(i + "x".repeat(100));
    }
    rig.reopen();
    rig.flushEach("y".repeat(10), "z");
    for (int i = 0; i < 32; i++) {
      int bytes = i < 30 ? 100 + Integer.toString(i).length() : i == 30 ? 10 : 1;
      assertThat(rig.journal.cursor().read(i).remaining()).as("record %d", i).isEqualTo(bytes);
    }
    assertThatThrownBy(() -> rig.journal.cursor().read(32))
        .isInstanceOf(IllegalArgumentException.class);
    Path oldest = rig.faulty.list(Rig.FOLDER).getFirst();
    try (var file = rig.faulty.open(oldest)) {
      file.write(java.nio.ByteBuffer.wrap(new byte[] {'!'}), SegmentHeader.BYTES + 30);
    }
    assertThatThrownBy(() -> rig.journal.cursor().read(0))
        .isInstanceOfSatisfying(
            JournalException.class,
            e -> assertThat(e.fault()).isInstanceOf(JournalFault.Corrupt.class));
    assertThat(rig.journal.cursor().read(1).remaining()).isEqualTo(101);
  }

  @Test
  void trimmingKeepsWhatTheOldestKeptSnapshotNeeds() throws Exception {
    Journal journal = journal();
    String half = "x".repeat(400);
    for (int i = 0; i < 3; i++) {
      Rig.append(journal, half);
      flush();
    }
    assertThat(journal.trim(3)).as("no snapshot, no trim").isZero();
    journal.snapshot(1, out -> {});
    journal.snapshot(3, out -> {});
    assertThat(journal.trim(3)).isLessThanOrEqualTo(1);
    assertThat(Rig.replayed(journal, 1)).hasSize(2);
    journal.snapshot(3, out -> {});
    assertThat(journal.trim(0)).isLessThanOrEqualTo(1);
  }
}
