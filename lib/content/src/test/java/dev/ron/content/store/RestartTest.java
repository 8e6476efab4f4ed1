package dev.ron.content.store;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.ContentStore;
import dev.ron.content.CrashScript;
import dev.ron.content.DeleteResult;
import dev.ron.content.RunningStore;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.Seeds;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is found after the store was closed, abandoned, or lost its snapshot. */
final class RestartTest {
  private static final Path FOLDER = Path.of("/store");
  private static final SegmentConfig CONFIG =
      SegmentConfig.in(FOLDER).withSizes(256 << 10, 4 << 20, 1 << 20);

  /** How the store before went away. */
  enum Ending {
    CLOSED,
    ABANDONED,
    SNAPSHOT_LOST,
    SNAPSHOT_DAMAGED
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  void everythingIsFoundAgain(Ending ending) throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    byte[] kept = bytes(0, 5000);
    byte[] again = bytes(1, 100_000);
    byte[] deleted = bytes(2, 300_000);
    RunningStore first = RunningStore.open(disk, CONFIG);
    for (int i = 3; i < 200; i++) {
      first.store().put(stream(bytes(i, i * 50))).orThrow();
    }
    for (byte[] object : new byte[][] {kept, again, deleted}) {
      first.store().put(stream(object)).orThrow();
    }
    first.store().delete(address(again)).orThrow();
    first.store().delete(address(deleted)).orThrow();
    first.store().put(stream(again)).orThrow();
    if (ending == Ending.ABANDONED) {
      first.abandon();
      disk.crash();
    } else {
      first.close();
    }
    if (ending == Ending.SNAPSHOT_LOST) {
      disk.delete(FOLDER.resolve(IndexSnapshot.NAME));
    }
    if (ending == Ending.SNAPSHOT_DAMAGED) {
      disk.flipBit(FOLDER.resolve(IndexSnapshot.NAME), 12345);
    }
    try (RunningStore second = RunningStore.open(disk, CONFIG)) {
      if (ending != Ending.ABANDONED) { // then it depends on when the last snapshot was taken
        assertThat(second.store().report().fromSnapshot()).isEqualTo(ending == Ending.CLOSED);
      }
      assertThat(second.store().space().objects()).isEqualTo(199);
      assertThat(readAll(second.store(), address(kept))).isEqualTo(kept);
      assertThat(readAll(second.store(), address(again))).isEqualTo(again);
      assertThat(second.store().contains(address(deleted))).isFalse();
      for (int i = 3; i < 200; i++) {
        assertThat(readAll(second.store(), address(bytes(i, i * 50)))).isEqualTo(bytes(i, i * 50));
      }
    }
  }

  /** Otherwise an object could be gone after one start and back after the next. */
  @Test
  void whatBecameOfARefusedDeleteIsTheSameWithAndWithoutASnapshot() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    RunningStore first = RunningStore.open(disk, CONFIG);
    byte[] object = refusedToGo(first.store(), disk);
    disk.failFlushAfter(Integer.MAX_VALUE);
    first.close();
    boolean found;
    try (RunningStore second = RunningStore.open(disk, CONFIG)) {
      found = second.store().contains(address(object));
    }
    disk.delete(FOLDER.resolve(IndexSnapshot.NAME));
    try (RunningStore third = RunningStore.open(disk, CONFIG)) {
      assertThat(third.store().contains(address(object))).isEqualTo(found);
    }
  }

  /** An object whose delete was refused; now and then the planted fault meets housekeeping. */
  private static byte[] refusedToGo(ContentStore store, FaultyDisk disk) throws Exception {
    for (int i = 0; i < 100; i++) {
      byte[] object = bytes(i, 5000);
      store.put(stream(object)).orThrow();
      disk.failFlushAfter(0);
      if (store.delete(address(object)) instanceof DeleteResult.Refused) {
        return object;
      }
    }
    throw new AssertionError("no delete met the planted fault");
  }

  @Test
  void afterAPowerCutWholeObjectsAreFoundAndAllThatWereAnswered() {
    Seeds.forEach(4, (seed, random) -> new CrashScript(seed, random).play(5));
  }

  @Test
  @Tag("long")
  void andSoItIsFiveHundredTimes() {
    Seeds.forEach(100, (seed, random) -> new CrashScript(seed, random).play(5));
  }
}
