package dev.ron.content.store;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.HookedDisk;
import dev.ron.content.RunningStore;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.NoThreadsLeft;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens to the bytes of deleted objects, in virtual time. */
@ExtendWith(NoThreadsLeft.class)
final class StoreMaintenanceTest {
  private static final Path FOLDER = Path.of("/store");
  private static final SegmentConfig CONFIG =
      SegmentConfig.in(FOLDER)
          .withSizes(256 << 10, 4 << 20, 1 << 20)
          .withDeleteGrace(Duration.ofHours(1));
  private static final int COUNT = 100;
  private static final int LENGTH = 10_000;

  private final VirtualTime time = new VirtualTime();
  private final FaultyDisk disk = new FaultyDisk(time, new SplittableRandom(1));
  private RunningStore running;

  @BeforeEach
  void open() throws Exception {
    running = RunningStore.open(disk, CONFIG, time);
  }

  @AfterEach
  void close() throws Exception {
    running.close();
  }

  @Test
  void bytesOfDeletedObjectsGoAfterTheGraceAndNotBefore() throws Exception {
    fill();
    long full = running.store().space().usedBytes();
    deleteThreeOfFour();
    time.advance(Duration.ofMinutes(59));
    settle(30);
    assertThat(running.store().space().usedBytes()).isGreaterThanOrEqualTo(full);
    time.advance(Duration.ofMinutes(2));
    until(() -> running.store().space().usedBytes() < full / 2);
    checkAll();
  }

  /** A full disk takes no object that would fill the segment up. */
  @Test
  void bytesOfDeletedObjectsGoAlsoFromASegmentThatIsBeingFilled() throws Exception {
    byte[] large = bytes(1, 100_000);
    byte[] other = bytes(2, 100_000);
    running.store().put(stream(large)).orThrow();
    running.store().delete(address(large)).orThrow();
    settle(30);
    assertThat(running.store().space().usedBytes()).isGreaterThan(large.length);
    time.advance(Duration.ofHours(2));
    until(() -> running.store().space().usedBytes() < large.length);
    running.store().put(stream(other)).orThrow();
    assertThat(readAll(running.store(), address(other))).isEqualTo(other);
    running.abandon();
    disk.crash();
    running = RunningStore.open(disk, CONFIG, time);
    assertThat(readAll(running.store(), address(other))).isEqualTo(other);
    assertThat(running.store().contains(address(large))).isFalse();
  }

  @Test
  void whatWasCompactedIsFoundAfterAPowerCut() throws Exception {
    fill();
    deleteThreeOfFour();
    long full = running.store().space().usedBytes();
    time.advance(Duration.ofHours(2));
    until(() -> running.store().space().usedBytes() < full / 2);
    running.abandon();
    disk.crash();
    running = RunningStore.open(disk, CONFIG, time);
    checkAll();
    running.abandon(); // first, or the housekeeping may write the next snapshot
    disk.delete(FOLDER.resolve(IndexSnapshot.NAME));
    running = RunningStore.open(disk, CONFIG, time);
    assertThat(running.store().report().fromSnapshot()).isFalse();
    checkAll();
  }

  @Test
  void aReaderKeepsItsSegmentUntilItIsClosed() throws Exception {
    fill();
    ContentReader reader = running.store().open(address(bytes(1, LENGTH))).orThrow();
    deleteThreeOfFour();
    long full = running.store().space().usedBytes();
    time.advance(Duration.ofHours(2));
    until(() -> running.store().space().usedBytes() < full);
    settle(30);
    assertThat(readAll(reader)).isEqualTo(bytes(1, LENGTH));
  }

  @Test
  void aDeletedObjectIsForgottenWithItsLastByte() throws Exception {
    fill();
    deleteThreeOfFour();
    assertThat(running.store().hidden()).isEqualTo(COUNT * 3 / 4);
    running.close(); // ends the segment that is being filled, which compaction leaves alone
    running = RunningStore.open(disk, CONFIG, time);
    assertThat(running.store().hidden()).isEqualTo(COUNT * 3 / 4);
    time.advance(Duration.ofHours(2));
    until(() -> running.store().hidden() == 0);
    checkAll();
  }

  @Test
  void aDamagedObjectIsKeptAndSaidToBeDamaged() throws Exception {
    fill();
    // Inside the bytes of object 0, the first record of the first segment.
    disk.flipBit(Segment.path(FOLDER, 1), (Segment.HEAD_BYTES + RecordHeader.BYTES + 100) * 8L);
    deleteThreeOfFour();
    long full = running.store().space().usedBytes();
    time.advance(Duration.ofHours(2));
    until(() -> running.store().space().usedBytes() < full / 2);
    byte[] damaged = bytes(0, LENGTH);
    try (ContentReader reader = running.store().open(address(damaged)).orThrow()) {
      assertThat(reader.next())
          .isEqualTo(new ContentReader.Step.Bad(new ContentFault.Corrupt(address(damaged), 0)));
    }
    assertThat(running.store().put(stream(damaged)).orThrow().fresh()).isTrue();
    assertThat(readAll(running.store(), address(damaged))).isEqualTo(damaged);
  }

  @Test
  void manySmallSegmentsOfManyStartsAreMerged() throws Exception {
    for (int start = 0; start < 12; start++) {
      running.store().put(stream(bytes(start, 100))).orThrow();
      running.close();
      running = RunningStore.open(disk, CONFIG, time);
    }
    until(() -> segmentFiles() <= CompactionCandidates.SMALL_MIN);
    for (int start = 0; start < 12; start++) {
      assertThat(readAll(running.store(), address(bytes(start, 100)))).isEqualTo(bytes(start, 100));
    }
  }

  @Test
  void aBugInCompactionHoldsNothingBack() throws Exception {
    running.close();
    var bugs = new AtomicInteger();
    Disk buggy =
        new HookedDisk(
            disk,
            (path, bytes) -> {
              // Nothing else writes so much at once to a segment while there are no puts.
              if (bytes > LENGTH / 2
                  && path.toString().endsWith(Segment.SUFFIX)
                  && bugs.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("a bug");
              }
            });
    running = RunningStore.open(buggy, CONFIG, time);
    fill();
    deleteThreeOfFour();
    long full = running.store().space().usedBytes();
    bugs.set(2);
    time.advance(Duration.ofHours(2));
    until(() -> running.store().space().usedBytes() < full / 2);
    assertThat(bugs).as("it was met").hasValue(0);
    checkAll();
  }

  private long segmentFiles() {
    return disk.paths().stream().filter(path -> path.toString().endsWith(Segment.SUFFIX)).count();
  }

  private void fill() throws Exception {
    for (int i = 0; i < COUNT; i++) {
      running.store().put(stream(bytes(i, LENGTH))).orThrow();
    }
  }

  private void deleteThreeOfFour() throws Exception {
    for (int i = 0; i < COUNT; i++) {
      if (i % 4 != 0) {
        running.store().delete(address(bytes(i, LENGTH))).orThrow();
      }
    }
  }

  private void checkAll() throws Exception {
    for (int i = 0; i < COUNT; i++) {
      byte[] object = bytes(i, LENGTH);
      assertThat(running.store().contains(address(object))).as("object " + i).isEqualTo(i % 4 == 0);
      if (i % 4 == 0) {
        assertThat(readAll(running.store(), address(object))).isEqualTo(object);
      }
    }
  }

  /** Lets the housekeeping come by so many times. */
  private void settle(int times) {
    for (int i = 0; i < times; i++) {
      time.advance(CONFIG.keepEvery());
      Thread.onSpinWait();
    }
  }

  private void until(BooleanSupplier reached) {
    for (int i = 0; i < 3_000_000; i++) {
      if (reached.getAsBoolean()) {
        return;
      }
      time.advance(CONFIG.keepEvery());
      Thread.onSpinWait();
    }
    throw new AssertionError("never reached: " + running.store().space());
  }
}
