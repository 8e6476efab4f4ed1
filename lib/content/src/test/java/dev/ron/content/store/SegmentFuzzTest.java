package dev.ron.content.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.content.index.AddressIndex;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
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

  /**
   * Records with right sums around the input's bytes, which no input could have by chance: a sum is
   * keyed with the secret of the segment.
   */
  @FuzzTest(maxDuration = "2m")
  void contentSegment(byte[] bytes) throws IOException {
    FaultyDisk disk = disk();
    var file = new FuzzedSegment(bytes);
    write(disk, Segment.path(FOLDER, FuzzedSegment.NUMBER), file.bytes());
    StoreCheck.Report report = StoreCheck.run(disk, FOLDER);
    assertThat(report.whole()).isSubsetOf(file.whole());
    assertThat(Collections.disjoint(report.lost().keySet(), report.whole())).isTrue();
  }

  /**
   * With a right sum, so that what is behind it is reached, and with zeros behind the input, so
   * that it need not say of each shard that it is empty.
   */
  @FuzzTest(maxDuration = "2m")
  void contentIndex(byte[] bytes) throws IOException {
    FaultyDisk disk = disk();
    var crc = new CRC32C();
    byte[] whole = Arrays.copyOf(bytes, bytes.length + (AddressIndex.SHARDS + 1) * Long.BYTES);
    crc.update(whole);
    ByteBuffer summed = ByteBuffer.allocate(whole.length + Long.BYTES);
    summed.put(whole).putLong(crc.getValue()).flip();
    write(disk, FOLDER.resolve(IndexSnapshot.NAME), summed);
    StoreCheck.Report report = StoreCheck.run(disk, FOLDER);
    assertThat(report.whole()).isEmpty();
  }
}
