package dev.ron.content.segment;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.content.RunningStore;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.NoThreadsLeft;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that is full, read-only, failing or rotten: a clear fault, and the rest can be read. */
@ExtendWith(NoThreadsLeft.class)
final class DiskFailureTest {
  private static final Path FOLDER = Path.of("/store");
  private static final SegmentConfig CONFIG =
      SegmentConfig.in(FOLDER).withSizes(1 << 20, 4 << 20, 4 << 20);

  private final FaultyDisk disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));

  @ParameterizedTest
  @ValueSource(ints = {5000, 500_000})
  void aFullDiskIsSaidToBeFullAndTakesMoreWhenThereIsRoom(int length) throws Exception {
    RunningStore.open(disk, CONFIG).close(); // so that no snapshot is due while it is filled
    try (RunningStore running = RunningStore.open(disk, CONFIG)) {
      SegmentStore store = running.store();
      store.put(stream(bytes(1, 3000))).orThrow();
      disk.capacity(usedBytes() + 2000);
      assertThat(store.put(stream(bytes(2, length))))
          .isEqualTo(new PutResult.Refused(new ContentFault.Full("the disk is full")));
      assertThat(store.contains(address(bytes(2, length)))).isFalse();
      assertThat(readAll(store, address(bytes(1, 3000)))).isEqualTo(bytes(1, 3000));
      disk.capacity(Long.MAX_VALUE);
      store.put(stream(bytes(2, length))).orThrow();
      assertThat(readAll(store, address(bytes(2, length)))).isEqualTo(bytes(2, length));
    }
  }

  @Test
  void aReadOnlyDiskIsServedAndTakesNothing() throws Exception {
    try (RunningStore running = RunningStore.open(disk, CONFIG)) {
      running.store().put(stream(bytes(1, 3000))).orThrow();
      running.store().put(stream(bytes(2, 300_000))).orThrow();
    }
    disk.readOnly(true);
    RunningStore running = RunningStore.open(disk, CONFIG);
    SegmentStore store = running.store();
    assertThat(readAll(store, address(bytes(1, 3000)))).isEqualTo(bytes(1, 3000));
    assertThat(readAll(store, address(bytes(2, 300_000)))).isEqualTo(bytes(2, 300_000));
    var readOnly = new ContentFault.ReadOnly();
    assertThat(store.put(stream(bytes(3, 10)))).isEqualTo(new PutResult.Refused(readOnly));
    assertThat(store.put(stream(bytes(3, 99_999)))).isEqualTo(new PutResult.Refused(readOnly));
    assertThat(store.delete(address(bytes(1, 3000)))).isEqualTo(new DeleteResult.Refused(readOnly));
    running.abandon();
  }

  @ParameterizedTest
  @ValueSource(ints = {5000, 500_000})
  void afterAFailedFlushTheSegmentIsNotWrittenAgain(int length) throws Exception {
    RunningStore.open(disk, CONFIG).close(); // so that no snapshot takes the planted failure
    try (RunningStore running = RunningStore.open(disk, CONFIG)) {
      SegmentStore store = running.store();
      store.put(stream(bytes(1, length))).orThrow();
      var before = new ArrayList<>(disk.paths());
      disk.failFlushAfter(0);
      assertThat(store.put(stream(bytes(2, length))))
          .isInstanceOfSatisfying(
              PutResult.Refused.class,
              refused -> assertThat(refused.fault()).isInstanceOf(ContentFault.DiskFailed.class));
      assertThat(store.contains(address(bytes(2, length)))).isFalse();
      long[] sizes = before.stream().mapToLong(disk::size).toArray();
      store.put(stream(bytes(2, length))).orThrow();
      store.put(stream(bytes(3, length))).orThrow();
      if (before.stream().allMatch(disk::exists)) { // compaction may have been there already
        assertThat(before.stream().mapToLong(disk::size).toArray()).isEqualTo(sizes);
      }
      for (int i = 1; i <= 3; i++) {
        assertThat(readAll(store, address(bytes(i, length)))).isEqualTo(bytes(i, length));
      }
    }
  }

  @Test
  void aBitThatFlipsIsNeverHandedOutAndPuttingAgainRepairs() throws Exception {
    try (RunningStore running = RunningStore.open(disk, CONFIG)) {
      SegmentStore store = running.store();
      byte[] object = bytes(1, 200_000);
      store.put(stream(object)).orThrow();
      Path file =
          disk.paths().stream()
              .filter(path -> path.toString().endsWith(Segment.SUFFIX))
              .findFirst()
              .orElseThrow();
      long inSecondGroup = Segment.HEAD_BYTES + RecordHeader.BYTES + 70_000;
      disk.flipBit(file, inSecondGroup * 8);
      var out = new java.io.ByteArrayOutputStream();
      try (ContentReader reader = store.open(address(object)).orThrow()) {
        assertThat(reader.transferTo(out)).contains(new ContentFault.Corrupt(address(object), 1));
      }
      assertThat(out.toByteArray()).as("the good group before").hasSize(65536);
      assertThat(readAll(store.open(address(object), 140_000, 10).orThrow()))
          .as("a range that the damage is not in")
          .hasSize(10);
      assertThat(store.put(stream(object)).orThrow().fresh()).isTrue();
      assertThat(readAll(store, address(object))).isEqualTo(object);
    }
  }

  private long usedBytes() {
    return Long.MAX_VALUE - disk.freeBytes(FOLDER); // while the capacity is unbounded
  }
}
