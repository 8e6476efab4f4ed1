package dev.ron.content;

import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.store.SegmentConfig;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.testkit.ChildJvm;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start with one million objects: under 2 s of processor time, the compiler's included, and under
 * 200 bytes of heap an object.
 */
final class StartTest {
  private static final int OBJECTS = 1_000_000;
  private static final int WRITERS = 512;

  @TempDir Path folder;

  @Test
  @Tag("long")
  void aMillionObjectsAreThereWithinTwoSecondsAndLittleHeap() throws Exception {
    fill();
    try (ChildJvm child = ChildJvm.start(StartChild.class, folder.toString())) {
      String line = java.util.Objects.requireNonNull(child.line());
      System.out.println(
          "start with a million objects (ms of processor time, heap bytes, objects): " + line);
      String[] words = line.split(" ", -1);
      assertThat(Integer.parseInt(words[2])).isEqualTo(OBJECTS);
      assertThat(words[3]).as("from the snapshot").isEqualTo("true");
      assertThat(Long.parseLong(words[0])).as("ms of processor time").isLessThan(2000);
      assertThat(Long.parseLong(words[1]) / OBJECTS).as("bytes an object").isLessThan(200);
    }
  }

  private void fill() throws Exception {
    var next = new AtomicInteger();
    try (RunningStore running = RunningStore.open(new RealDisk(), SegmentConfig.in(folder));
        var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new java.util.ArrayList<java.util.concurrent.Future<?>>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(
            pool.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < OBJECTS; n = next.getAndIncrement()) {
                    byte[] object = ByteBuffer.allocate(Integer.BYTES).putInt(n).array();
                    running.store().put(stream(object)).orThrow();
                  }
                  return null;
                }));
      }
      for (var writer : writers) {
        writer.get();
      }
    }
  }
}
