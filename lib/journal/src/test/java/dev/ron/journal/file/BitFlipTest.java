package dev.ron.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every bit of a small journal is turned: it is noticed, and no record becomes another. */
class BitFlipTest {
  private static final List<String> RECORDS = List.of("alpha", "beta", "gamma", "delta", "epsilon");

  /** alpha and beta are one batch, gamma is one, delta and epsilon are one. */
  private static Rig written() throws IOException {
    Rig rig = Rig.opened();
    rig.append("alpha", "beta");
    rig.flush();
    rig.flushEach("gamma");
    rig.append("delta", "epsilon");
    rig.flush();
    return rig;
  }

  @Test
  void afterACleanCloseDamageToAnyRecordIsRefused() throws IOException {
    Rig rig = written();
    rig.close();
    Path segment = rig.lastSegment();
    long records = rig.size(segment) - Frame.HEADER_BYTES;
    for (long bit = 0; bit < records * 8; bit++) {
      rig.faulty.flipBit(segment, bit);
      assertThat(corrupt(rig)).as("bit %d", bit).isEqualTo(segment);
      rig.faulty.flipBit(segment, bit);
    }
    rig.open();
    assertThat(rig.replayed()).isEqualTo(RECORDS);
  }

  @Test
  void damageToTheMarkLosesNoRecord() throws IOException {
    Rig probe = written();
    long end = probe.size(probe.lastSegment());
    for (long bit = end * 8; bit < (end + Frame.HEADER_BYTES) * 8; bit++) {
      Rig rig = written();
      rig.close();
      rig.faulty.flipBit(rig.lastSegment(), bit);
      rig.open();
      assertThat(rig.replayed()).as("bit %d", bit).isEqualTo(RECORDS);
      assertThat(rig.journal.recovered().tornTail()).isPresent();
    }
  }

  @Test
  void withoutACleanCloseDamageToTheLastBatchIsCutAndSaid() throws IOException {
    Rig probe = written();
    long end = probe.size(probe.lastSegment());
    long lastBatch = end - Frame.bytes("delta".length()) - Frame.bytes("epsilon".length());
    for (long bit = 0; bit < end * 8; bit++) {
      Rig rig = written();
      rig.faulty.crash();
      rig.faulty.flipBit(rig.lastSegment(), bit);
      if (bit < lastBatch * 8) {
        assertThat(corrupt(rig)).as("bit %d", bit).isEqualTo(rig.lastSegment());
      } else {
        boolean first = bit < (lastBatch + Frame.bytes("delta".length())) * 8;
        rig.open();
        assertThat(rig.replayed()).as("bit %d", bit).isEqualTo(RECORDS.subList(0, first ? 3 : 4));
        assertThat(rig.journal.recovered().tornTail()).isPresent();
      }
    }
  }

  @Test
  void damageToAnEarlierSegmentIsFoundByReplayOrAtOpen() throws IOException {
    for (boolean atOpen : List.of(true, false)) {
      Rig rig = new Rig(1);
      rig.settings = Rig.SMALL.sized(128, 64, 44, 0).verifiedAtOpen(atOpen);
      rig.open();
      rig.flushEach("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta");
      rig.close();
      List<Path> files = rig.faulty.list(Rig.FOLDER);
      assertThat(files).hasSizeGreaterThan(2);
      for (Path segment : files.subList(0, files.size() - 1)) {
        for (long bit = 0; bit < rig.size(segment) * 8; bit++) {
          rig.faulty.flipBit(segment, bit);
          assertThat(corrupt(rig)).as("bit %d of %s", bit, segment).isEqualTo(segment);
          rig.faulty.flipBit(segment, bit);
        }
      }
    }
  }

  @Test
  void aMissingSegmentIsACorruptJournal() throws IOException {
    Rig rig = new Rig(1);
    rig.settings = Rig.SMALL.sized(128, 64, 44, 0);
    rig.open();
    rig.flushEach("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta");
    rig.close();
    List<Path> files = rig.faulty.list(Rig.FOLDER);
    rig.faulty.delete(files.get(1));
    assertThat(corrupt(rig)).isEqualTo(files.get(0));
  }

  @Test
  void aSegmentOfAnotherJournalIsRefused() throws IOException {
    Rig rig = new Rig(1);
    rig.settings = Rig.SMALL.sized(128, 64, 44, 0);
    rig.open();
    rig.flushEach("alpha", "beta", "gamma", "delta", "epsilon");
    rig.close();
    Path first = rig.faulty.list(Rig.FOLDER).getFirst();
    try (var file = rig.faulty.open(first)) {
      file.write(new SegmentHeader(4711, 0).encode(SegmentHeader.LOG), 0);
    }
    assertThat(corrupt(rig)).isEqualTo(first);
  }

  /** The file that open or replay calls corrupt. */
  private static Path corrupt(Rig rig) {
    Throwable thrown =
        catchThrowable(
            () -> {
              rig.open();
              rig.replayed();
            });
    assertThat(thrown).isInstanceOf(JournalException.class);
    return ((JournalFault.Corrupt) ((JournalException) thrown).fault()).file();
  }
}
