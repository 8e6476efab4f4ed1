package dev.ron.ordered.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ordered.Rows;
import dev.ron.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that applies batches is killed again and again. Each time the store must hold exactly
 * the rows of a prefix of the batches, at least those it had called durable.
 *
 * <p>A kill leaves the operating system alive, and with it every write that was begun. What a power
 * cut leaves is not shown here: RocksDB's files are out of the faulty disk's reach.
 */
class KillTest {
  @Test
  @Tag("long")
  void thePrefixIsExactAfterFourKills(@TempDir Path folder) throws Exception {
    play(folder, 4, 1);
  }

  @Test
  @Tag("long")
  void thePrefixIsExactAfterTwentyKills(@TempDir Path folder) throws Exception {
    play(folder, 20, Long.getLong("ron.seed", 2));
  }

  private static void play(Path folder, int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    long durable = -1;
    for (int round = 0; round < rounds; round++) {
      int every = random.nextBoolean() ? 20 : 500;
      durable = Math.max(durable, killAfter(1 + random.nextInt(6), folder, every));
      try (var store = RocksOrderedStore.open(folder, KilledMain.settings())) {
        String when = "seed %d, round %d".formatted(seed, round);
        assertThat(store.appliedIndex()).as(when).isGreaterThanOrEqualTo(durable);
        Rows.assertWindow(store, store.appliedIndex());
        durable = store.appliedIndex();
      }
    }
  }

  /** The last durable index it said. */
  private static long killAfter(int lines, Path folder, int every) throws Exception {
    try (ChildJvm child =
        ChildJvm.start(KilledMain.class, folder.toString(), Integer.toString(every))) {
      long durable = -1;
      for (int i = 0; i < lines; i++) {
        String line = child.line();
        assertThat(line).as("the child ended by itself").isNotNull();
        durable = Long.parseLong(line);
      }
      child.kill9();
      // What it had said before it died counts too; the last line may be cut.
      for (String line = child.line(), next; line != null; line = next) {
        next = child.line();
        durable = next == null ? durable : Long.parseLong(line);
      }
      return durable;
    }
  }
}
