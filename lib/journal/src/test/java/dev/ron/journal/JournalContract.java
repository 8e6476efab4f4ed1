package dev.ron.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.file.Rig;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every journal does, whatever it stands on. */
public abstract class JournalContract {
  /** A new one with {@link Rig#SMALL} settings. */
  public abstract Journal journal() throws IOException;

  /** Makes what was appended durable, if that takes anything. */
  public abstract void flush();

  private static final Deadline NOW = new Deadline(java.time.Instant.MIN);

  @Test
  void recordsAreReplayedInTheOrderTheyWereAppended() throws Exception {
    Journal journal = journal();
    assertThat(Rig.append(journal, "a", "b")).isEqualTo(new AppendResult.Taken(0, 2));
    assertThat(Rig.append(journal, "c")).isEqualTo(new AppendResult.Taken(2, 3));
    flush();
    assertThat(journal.await(3, NOW)).isInstanceOf(Durability.Durable.class);
    assertThat(Rig.replayed(journal, 0)).containsExactly("a", "b", "c");
    assertThat(Rig.replayed(journal, 1)).containsExactly("b", "c");
    assertThat(Rig.replayed(journal, 3)).isEmpty();
  }

  @Test
  void waitingForWhatWasNotAppendedIsLate() throws Exception {
    assertThat(journal().await(1, NOW)).isInstanceOf(Durability.Late.class);
  }

  @Test
  void theBytesAreTheJournalsOwnFromTheAppendOn() throws Exception {
    Journal journal = journal();
    ByteBuffer reused = ByteBuffer.wrap(new byte[] {'x'});
    journal.append(List.of(reused));
    reused.put(0, (byte) 'y');
    flush();
    assertThat(Rig.replayed(journal, 0)).containsExactly("x");
    assertThat(reused.remaining()).as("the caller's buffer is not consumed").isEqualTo(1);
  }

  @Test
  void nothingIsReplayedThatWasNotAsked() throws Exception {
    Journal journal = journal();
    assertThatThrownBy(() -> Rig.replayed(journal, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Rig.append(journal, "")).isInstanceOf(IllegalArgumentException.class);
    assertThat(journal.append(List.of())).isEqualTo(new AppendResult.Taken(0, 0));
  }

  @Test
  void aRecordThatNeverFitsIsRefusedForGood() throws Exception {
    Journal journal = journal();
    assertThat(Rig.append(journal, "x".repeat(513)))
        .isEqualTo(new AppendResult.Refused(new JournalFault.TooLarge(513, 512)));
    String most = "x".repeat(512);
    assertThat(Rig.append(journal, most, most))
        .isEqualTo(new AppendResult.Refused(new JournalFault.TooLarge(1064, 1024)));
    assertThat(Rig.append(journal, most)).isEqualTo(new AppendResult.Taken(0, 1));
  }

  @Test
  void aFullJournalRefusesAllRecordsOfAnAppendOrNone() throws Exception {
    Journal journal = journal();
    String half = "x".repeat(400);
    int taken = 0;
    AppendResult answer = Rig.append(journal, half);
    while (answer instanceof AppendResult.Taken && taken < 100) {
      taken++;
      answer = Rig.append(journal, half, "y");
    }
    assertThat(((AppendResult.Refused) answer).fault()).isInstanceOf(JournalFault.Busy.class);
    flush();
    assertThat(Rig.replayed(journal, 0)).hasSize(2 * taken - 1).endsWith("y");
  }

  @Test
  void theNewestSnapshotIsFound() throws Exception {
    Journal journal = journal();
    assertThat(journal.newestSnapshot()).isEmpty();
    Rig.append(journal, "a", "b", "c");
    flush();
    byte[] large = new byte[200_000];
    large[199_999] = 7;
    journal.snapshot(1, out -> out.write('1'));
    journal.snapshot(3, out -> out.write(large));
    Optional<StoredSnapshot> newest = journal.newestSnapshot();
    assertThat(newest.map(StoredSnapshot::position)).hasValue(3L);
    try (var in = newest.orElseThrow().open()) {
      assertThat(in.readAllBytes()).isEqualTo(large);
    }
  }

  @Test
  void aSnapshotDoesNotKnowMoreThanTheLog() throws Exception {
    Journal journal = journal();
    assertThatThrownBy(() -> journal.snapshot(1, out -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasTrimmedIsSaidToBeGone() throws Exception {
    Journal journal = journal();
    String half = "x".repeat(400);
    for (int i = 0; i < 20; i++) {
      if (Rig.append(journal, half) instanceof AppendResult.Refused) {
        journal.trim(i);
        Rig.append(journal, half);
      }
      flush();
      journal.snapshot(i + 1, out -> {});
    }
    long first = journal.trim(20);
    assertThat(first).isBetween(1L, 20L);
    assertThatThrownBy(() -> Rig.replayed(journal, first - 1))
        .isInstanceOfSatisfying(
            JournalException.class,
            e -> assertThat(e.fault()).isEqualTo(new JournalFault.Trimmed(first - 1, first)));
    assertThat(Rig.replayed(journal, first)).hasSize((int) (20 - first));
  }

  @Test
  void anyFlushedRecordCanBeReadAgain() throws Exception {
    Journal journal = journal();
    var written = new java.util.ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      String text = i + "x".repeat(i * 7 % 60);
      written.add(text);
      Rig.append(journal, text);
      if (i % 3 == 0) {
        flush();
      }
    }
    flush();
    for (int i = 39; i >= 0; i--) {
      assertThat(
              java.nio.charset.StandardCharsets.UTF_8.decode(journal.cursor().read(i)).toString())
          .isEqualTo(written.get(i));
    }
  }

  @Test
  void whatASnapshotRefersToIsNotTrimmed() throws Exception {
    Journal journal = journal();
    String half = "x".repeat(400);
    for (int i = 0; i < 3; i++) {
      Rig.append(journal, half);
      flush();
    }
    journal.snapshot(2, 1, out -> {});
    journal.snapshot(3, 1, out -> {});
    assertThat(journal.trim(3)).isLessThanOrEqualTo(1);
    assertThat(journal.cursor().read(1).remaining()).isEqualTo(400);
  }
}
