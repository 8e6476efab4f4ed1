package dev.ron.content.store;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentReader;
import dev.ron.content.OpenResult;
import dev.ron.content.RunningStore;
import dev.ron.kernel.disk.RealDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Never more open files than the bound, however many segments there are. */
final class OpenFilesTest {
  private static final int FILES_MAX = 6;
  private static final int OBJECTS = 40;

  @TempDir Path folder;

  private SegmentConfig config() {
    return new SegmentConfig(
        folder,
        64 << 10,
        1 << 20,
        1,
        FILES_MAX,
        16,
        VerifyMode.ALWAYS,
        Duration.ofHours(24),
        Duration.ofSeconds(1),
        1 << 30,
        Duration.ofSeconds(30));
  }

  @Test
  void everySegmentIsReadThroughAFewFiles() throws Exception {
    try (RunningStore running = RunningStore.open(new RealDisk(), config())) {
      fill(running.store());
      for (int i = 0; i < OBJECTS; i++) {
        assertThat(readAll(running.store(), address(bytes(i, 66_000)))).isEqualTo(bytes(i, 66_000));
        assertThat(running.store().filesOpen()).isLessThanOrEqualTo(FILES_MAX);
      }
    }
  }

  @Test
  void readersBeyondTheBoundAreRefusedAndLaterServed() throws Exception {
    try (RunningStore running = RunningStore.open(new RealDisk(), config())) {
      fill(running.store());
      var readers = new ArrayList<ContentReader>();
      OpenResult refused = null;
      for (int i = 0; i < OBJECTS && refused == null; i++) {
        switch (running.store().open(address(bytes(i, 66_000)))) {
          case OpenResult.Opened(ContentReader reader) -> readers.add(reader);
          case OpenResult.Refused no -> refused = no;
        }
      }
      assertThat(refused)
          .isEqualTo(new OpenResult.Refused(new ContentFault.Busy("open segments", FILES_MAX)));
      assertThat(readers).as("each in a segment of its own").hasSizeLessThanOrEqualTo(FILES_MAX);
      readers.forEach(ContentReader::close);
      assertThat(readAll(running.store(), address(bytes(OBJECTS - 1, 66_000)))).hasSize(66_000);
    }
  }

  private static void fill(SegmentStore store) throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      store.put(stream(bytes(i, 66_000))).orThrow();
    }
  }
}
