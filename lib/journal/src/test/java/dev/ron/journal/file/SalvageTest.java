package dev.ron.journal.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.SalvageReport.LostBytes;
import dev.ron.journal.file.SalvageReport.LostRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is damaged, and what salvage says of it.
 *
 * <p>The journal: records r0 to r8, four to a segment of 120 bytes; a frame is 22 bytes, so r1 is
 * bytes 54 to 75 of its segment.
 */
class SalvageTest {
  private static final Path TO = Path.of("/salvaged");
  private static final int FRAME = Frame.bytes(2);

  private final Rig rig = new Rig(1);
  private List<Path> files = List.of();

  @BeforeEach
  void write() throws IOException {
    rig.settings = Rig.SMALL.sized(32 + 4 * FRAME, 4 * FRAME, 44, 0);
    rig.open();
    for (int i = 0; i < 9; i++) {
      rig.flushEach("r" + i);
    }
    rig.journal.snapshot(2, out -> out.write('2'));
    rig.close();
    files = rig.faulty.list(Rig.FOLDER);
    assertThat(files.stream().map(path -> path.getFileName().toString()))
        .containsExactly(
            "00000000000000000000.log",
            "00000000000000000002.snapshot",
            "00000000000000000004.log",
            "00000000000000000008.log");
  }

  @Test
  void nothingIsDamaged() throws IOException {
    SalvageReport report = salvage();
    assertThat(report)
        .isEqualTo(new SalvageReport(9, 0, 9, List.of(), List.of(), OptionalLong.of(2)));
    assertThat(records()).hasSize(9);
  }

  @Test
  void oneRecordInTheMiddle() throws IOException {
    flip(files.get(2), 32 + FRAME + 21);
    SalvageReport report = salvage();
    assertThat(report.lostRecords()).containsExactly(new LostRecords(5, 6));
    assertThat(report.lostBytes())
        .containsExactly(new LostBytes(files.get(2), 54, FRAME, "no readable record"));
    assertThat(records()).hasSize(8).doesNotContainKey(5L).containsEntry(6L, "r6");
  }

  @Test
  void twoRecordsApart() throws IOException {
    flip(files.get(0), 32);
    flip(files.get(2), 32 + 3 * FRAME);
    SalvageReport report = salvage();
    assertThat(report.lostRecords()).containsExactly(new LostRecords(0, 1), new LostRecords(7, 8));
    assertThat(report.lines())
        .contains("LOST records 0 to 0, all before the newest snapshot", "LOST records 7 to 7");
    assertThat(records()).hasSize(7);
  }

  @Test
  void aHeader() throws IOException {
    flip(files.get(2), 3);
    SalvageReport report = salvage();
    assertThat(report.lostRecords()).isEmpty();
    assertThat(report.lostBytes()).containsExactly(new LostBytes(files.get(2), 0, 32, "header"));
    assertThat(records()).hasSize(9);
  }

  @Test
  void aWholeSegment() throws IOException {
    rig.faulty.delete(files.get(2));
    SalvageReport report = salvage();
    assertThat(report.lostRecords()).containsExactly(new LostRecords(4, 8));
    assertThat(records()).containsOnlyKeys(0L, 1L, 2L, 3L, 8L);
  }

  @Test
  void theLastRecordWhoseNumberNobodyKnows() throws IOException {
    flip(files.get(3), 32 + 21);
    SalvageReport report = salvage();
    assertThat(report.lostRecords())
        .as("the mark behind it proves it")
        .containsExactly(new LostRecords(8, 9));
    rig.faulty.flipBit(files.get(3), (32L + FRAME) * 8);
    wipe();
    report = salvage();
    assertThat(report.lostRecords()).isEmpty();
    assertThat(report.lostBytes())
        .containsExactly(
            new LostBytes(files.get(3), 32, FRAME + Frame.HEADER_BYTES, "no readable record"));
    assertThat(report.next()).isEqualTo(8);
  }

  @Test
  void aSnapshot() throws IOException {
    flip(files.get(1), 40);
    SalvageReport report = salvage();
    assertThat(report.newestSnapshot()).isEmpty();
    assertThat(report.lostBytes())
        .containsExactly(
            new LostBytes(files.get(1), 0, rig.size(files.get(1)), "a snapshot that is not whole"));
  }

  @Test
  void everyHeader() throws IOException {
    for (Path file : files) {
      flip(file, 0);
    }
    assertThatThrownBy(this::salvage).hasMessageContaining("id must be given");
    wipe();
    long id = new java.util.SplittableRandom(1).nextLong();
    SalvageReport report = Salvage.run(rig.faulty, Rig.FOLDER, TO, OptionalLong.of(id));
    assertThat(report.recordsCopied()).isEqualTo(9);
  }

  @Test
  void salvagingTwiceKeepsSayingWhatWasLost() throws IOException {
    flip(files.get(2), 32 + FRAME + 21);
    salvage();
    SalvageReport again = Salvage.run(rig.faulty, TO, Path.of("/again"), OptionalLong.empty());
    assertThat(again.lostRecords()).containsExactly(new LostRecords(5, 6));
    assertThat(again.lostBytes()).isEmpty();
  }

  @Test
  void everyByteOneAfterTheOther() throws IOException {
    for (Path file : files) {
      for (long at = 0; at < rig.size(file); at++) {
        flip(file, at);
        SalvageReport report = salvage();
        assertThat(report.clean()).as("byte %d of %s", at, file).isFalse();
        Map<Long, String> records = records();
        assertThat(records).as("byte %d of %s", at, file).hasSizeGreaterThanOrEqualTo(8);
        records.forEach((position, text) -> assertThat(text).isEqualTo("r" + position));
        long lost =
            report.lostRecords().stream().mapToLong(range -> range.to() - range.from()).sum();
        assertThat(report.recordsCopied() + lost).as("byte %d of %s", at, file).isEqualTo(9);
        flip(file, at);
        wipe();
      }
    }
  }

  @Test
  void aFolderThatHoldsSomethingIsLeftAlone() throws IOException {
    salvage();
    assertThatThrownBy(this::salvage).hasMessage("/salvaged is not empty");
  }

  private void flip(Path file, long offset) {
    rig.faulty.flipBit(file, offset * 8 + offset % 8);
  }

  private SalvageReport salvage() throws IOException {
    return Salvage.run(rig.faulty, Rig.FOLDER, TO, OptionalLong.empty());
  }

  private void wipe() throws IOException {
    for (Path path : rig.faulty.list(TO)) {
      rig.faulty.delete(path);
    }
  }

  /** The salvaged journal opens, and this is in it. */
  private Map<Long, String> records() throws IOException {
    var salvaged = new Rig(2);
    salvaged.disk = rig.faulty;
    salvaged.settings = JournalSettings.in(TO).sized(4096, 1024, 512, 0).verifiedAtOpen(true);
    salvaged.open();
    var records = new TreeMap<Long, String>();
    salvaged.journal.replay(
        0, (position, payload) -> records.put(position, UTF_8.decode(payload).toString()));
    salvaged.close();
    return records;
  }
}
