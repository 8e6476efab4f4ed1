package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.readAll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed without warning, again and again, on the same folder. */
final class KillTest {
  @TempDir Path folder;

  /** What the last line about an object allows. */
  private final Map<Integer, String> last = new HashMap<>();

  @Test
  @Tag("long")
  void nothingDurableIsLostAndNothingPartialIsSeen() throws Exception {
    killAndLook(8);
  }

  @Test
  @Tag("long")
  void andSoItIsFiveHundredTimes() throws Exception {
    killAndLook(500);
  }

  private void killAndLook(int rounds) throws Exception {
    long seed = Long.getLong("ron.seed", 1);
    var random = new SplittableRandom(seed);
    for (int round = 0; round < rounds; round++) {
      try (ChildJvm child =
          ChildJvm.start(CrashChild.class, folder.toString(), Long.toString(random.nextLong()))) {
        assertThat(child.line()).as("round " + round).isEqualTo("open");
        int lines = random.nextInt(600);
        for (int i = 0; i < lines; i++) {
          hear(child.line());
        }
        child.kill9();
        for (String line = child.line(); line != null; line = child.line()) {
          hear(line);
        }
      }
      look("seed %d, round %d".formatted(seed, round));
    }
  }

  private void hear(String line) {
    String[] words = line.split(" ", 2);
    assertThat(words[0]).as(line).isIn("putting", "put", "deleting", "deleted");
    // Putting again what is there promises nothing less.
    last.merge(
        Integer.parseInt(words[1]),
        words[0],
        (before, now) -> before.equals("put") && now.equals("putting") ? before : now);
  }

  private void look(String when) throws Exception {
    RunningStore running = RunningStore.open(new RealDisk(), CrashChild.config(folder));
    SegmentStore store = running.store();
    for (int number = 0; number < CrashChild.OBJECTS; number++) {
      byte[] object = CrashChild.object(number);
      boolean there = store.contains(address(object));
      String said = last.getOrDefault(number, "deleted");
      switch (said) {
        case "put" -> assertThat(there).as("%s: object %d was put", when, number).isTrue();
        case "deleted" -> assertThat(there).as("%s: object %d is gone", when, number).isFalse();
        case "putting", "deleting" -> {} // no caller was told
        default -> throw new AssertionError(said);
      }
      if (there) {
        assertThat(readAll(store, address(object)))
            .as("%s: object %d", when, number)
            .isEqualTo(object);
      }
      last.put(number, there ? "put" : "deleted");
    }
    running.abandon();
  }
}
