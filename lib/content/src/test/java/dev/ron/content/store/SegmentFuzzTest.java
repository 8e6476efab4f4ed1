package dev.ron.content.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;

/** Whatever bytes the files of a store have, no object is found that does not match its address. */
class SegmentFuzzTest {
  private static final Path FOLDER = Path.of("/objects");

  private static FaultyDisk disk() {
    var disk = new FaultyDisk(new SystemTime(), new Random(1));
    disk.createFolders(FOLDER);
    return disk;
  }

  private static void write(FaultyDisk disk, Path file, ByteBuffer bytes) throws IOException {
    try (DiskFile out = disk.open(file)) {
      out.write(bytes, 0);
      out.flush();
    }
  }

  @FuzzTest(maxDuration = "2m")
  void contentSegment(byte[] bytes) throws IOException {
    FaultyDisk disk = disk();
    write(disk, Segment.path(FOLDER, 1), ByteBuffer.wrap(bytes));
    StoreCheck.Report report = StoreCheck.run(disk, FOLDER);
    // A header needs the keyed hash of the segment's secret, which no input can know by chance.
    assertThat(report.whole()).hasSizeLessThanOrEqualTo(bytes.length / RecordHeader.BYTES);
  }

  /** With a right sum, so that what is behind it is reached. */
  @FuzzTest(maxDuration = "2m")
  void contentIndex(byte[] bytes) throws IOException {
    FaultyDisk disk = disk();
    var crc = new CRC32C();
    crc.update(bytes);
    ByteBuffer whole = ByteBuffer.allocate(bytes.length + Long.BYTES);
    write(
        disk, FOLDER.resolve(IndexSnapshot.NAME), whole.put(bytes).putLong(crc.getValue()).flip());
    StoreCheck.Report report = StoreCheck.run(disk, FOLDER);
    assertThat(report.whole()).isEmpty();
  }
}
