package dev.ron.content;

import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.stream;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.disk.RealDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Puts and deletes until it is killed, and says a line before each ask and after each answer.
 *
 * <p>Writer w of four has the objects whose number is w modulo 4, so that its lines are in the
 * order of what it did.
 */
final class CrashChild {
  static final int WRITERS = 4;
  static final int OBJECTS = 400;

  private CrashChild() {}

  static SegmentConfig config(Path folder) {
    return SegmentConfig.in(folder)
        .withSizes(256 << 10, 4 << 20, 128 << 10)
        .withKeepEvery(Duration.ofMillis(2))
        .withDeleteGrace(Duration.ZERO);
  }

  static byte[] object(int number) {
    return bytes(number, number % 10 == 0 ? 70_000 + number * 500 : 20 * number);
  }

  public static void main(String[] args) throws Exception {
    long seed = Long.parseLong(args[1]);
    RunningStore running = RunningStore.open(new RealDisk(), config(Path.of(args[0])));
    say("open");
    for (int writer = 0; writer < WRITERS; writer++) {
      int mine = writer;
      Thread.ofVirtual()
          .start(() -> write(running.store(), mine, new SplittableRandom(seed + mine)));
    }
    Thread.currentThread().join();
  }

  private static void write(SegmentStore store, int writer, SplittableRandom random) {
    try {
      while (true) {
        int number = random.nextInt(OBJECTS / WRITERS) * WRITERS + writer;
        byte[] object = object(number);
        if (random.nextInt(3) > 0) {
          say("putting " + number);
          store.put(stream(object)).orThrow();
          say("put " + number);
        } else if (store.contains(Objects.address(object))) {
          say("deleting " + number);
          store.delete(Objects.address(object)).orThrow();
          say("deleted " + number);
        }
      }
    } catch (Exception e) {
      say("failed " + e);
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
