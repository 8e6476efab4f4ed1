package dev.ron.journal.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Random;

/** Whatever bytes a journal's files have, they are read in one way or refused. */
class JournalFuzzTest {
  private static final Path FOLDER = Path.of("/journal");
  private static final SegmentHeader HEADER = new SegmentHeader(7, 0);

  private static FaultyDisk disk(String name, long magic, byte[] bytes) throws IOException {
    var disk = new FaultyDisk(new SystemTime(), new Random(1));
    disk.createFolders(FOLDER);
    try (DiskFile file = disk.open(FOLDER.resolve(name))) {
      // Half of the inputs have a good header, so that what is behind it is reached.
      boolean headed = bytes.length > 0 && (bytes[0] & 1) == 0;
      if (headed) {
        file.write(HEADER.encode(magic), 0);
      }
      if (bytes.length > 1) {
        file.write(ByteBuffer.wrap(bytes, 1, bytes.length - 1), headed ? SegmentHeader.BYTES : 0);
      }
      file.flush();
    }
    return disk;
  }

  /** What a check finds whole, a start replays, and a salvage copies; a copy opens as it is. */
  @FuzzTest(maxDuration = "2m")
  void segments(byte[] bytes) throws IOException {
    FaultyDisk disk = disk("00000000000000000000.log", SegmentHeader.LOG, bytes);
    JournalCheck.Report checked = JournalCheck.run(disk, FOLDER, (_, _) -> {});
    SegmentCopy.run(
        disk,
        FOLDER.resolve("00000000000000000000.log"),
        disk.exists(FOLDER) ? FOLDER.resolve("copy") : FOLDER);
    try {
      SalvageReport saved =
          Salvage.run(disk, FOLDER, Path.of("/salvaged"), OptionalLong.of(HEADER.id()));
      if (checked.damage().isEmpty() && checked.unfinished().isEmpty()) {
        assertThat(saved.recordsCopied()).isEqualTo(checked.records());
      }
    } catch (IOException refused) {
      assertThat(refused).hasMessageContaining("");
    }
    JournalRecovery recovered;
    try {
      recovered = JournalRecovery.run(disk, JournalSettings.in(FOLDER), new Random(2));
    } catch (IOException refused) {
      return;
    }
    if (checked.damage().isEmpty()) {
      assertThat(recovered.next()).isEqualTo(checked.next());
    }
  }

  @FuzzTest(maxDuration = "2m")
  void snapshots(byte[] bytes) throws IOException {
    FaultyDisk disk = disk("00000000000000000000.snapshot", SegmentHeader.SNAPSHOT, bytes);
    try (var in =
        new SnapshotReader(disk, FOLDER.resolve("00000000000000000000.snapshot"), HEADER)) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException refused) {
      assertThat(refused.getMessage()).isNotNull();
    }
  }
}
