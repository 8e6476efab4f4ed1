package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store knows which of its copies are damaged, however many there are. */
@Timeout(120)
final class DamagedCopiesTest {
  private static final int MANY = 5000;

  @Test
  void memoryForgetsNone() throws Exception {
    var store = new AmnesiaStore(1 << 20, 2 * MANY, 1000);
    damage(store);
    heal(store);
  }

  @Test
  void segmentsForgetNoneAlsoOverARestart() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    SegmentConfig config = SegmentConfig.in(Path.of("/store"));
    try (var running = RunningStore.open(disk, config)) {
      damage(running.store());
    }
    try (var running = RunningStore.open(disk, config)) {
      assertThat(running.store().damaged()).isEqualTo(MANY);
      heal(running.store());
    }
  }

  @Test
  void oneThatWasReadToItsEndIsSoundAgain() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    try (var running = RunningStore.open(disk, SegmentConfig.in(Path.of("/store")))) {
      SegmentStore store = running.store();
      store.put(stream(bytes(1, 10))).orThrow();
      store.judged(address(bytes(1, 10)), false);
      store.judged(address(bytes(1, 10)), true);
      assertThat(store.sound(address(bytes(1, 10)))).isTrue();
      assertThat(store.damaged()).isZero();
      store.judged(address(bytes(2, 10)), false);
      assertThat(store.damaged()).as("one that is not there").isZero();
    }
  }

  private static void damage(ContentStore store) throws IOException, InterruptedException {
    for (int i = 0; i < MANY; i++) {
      store.put(stream(bytes(i, 10))).orThrow();
    }
    for (int i = 0; i < MANY; i++) {
      store.judged(address(bytes(i, 10)), false);
      store.judged(address(bytes(i, 10)), false);
    }
    assertThat(store.damaged()).isEqualTo(MANY);
    for (int i = 0; i < MANY; i++) {
      assertThat(store.sound(address(bytes(i, 10)))).as("object %d", i).isFalse();
      assertThat(store.contains(address(bytes(i, 10)))).isTrue();
    }
  }

  private static void heal(ContentStore store) throws IOException, InterruptedException {
    for (int i = 0; i < MANY; i++) {
      store.put(address(bytes(i, 10)), stream(bytes(i, 10))).orThrow();
      assertThat(store.sound(address(bytes(i, 10)))).isTrue();
    }
    assertThat(store.damaged()).isZero();
  }
}
