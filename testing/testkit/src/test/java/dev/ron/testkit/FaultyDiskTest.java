package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyDiskTest extends DiskContract {
  private static final Path FOLDER = Path.of("/data");
  private static final Path FILE = FOLDER.resolve("journal");

  private FaultyDisk disk = new FaultyDisk(new VirtualTime(), new SplittableRandom(1));

  @BeforeEach
  void makeFolder() {
    disk.createFolders(FOLDER);
  }

  @Override
  protected Disk disk() {
    return disk;
  }

  @Override
  protected Path folder() {
    return FOLDER;
  }

  @Test
  void whatWasFlushedSurvivesEveryCrash() {
    Seeds.forEach(
        500,
        (_, random) -> {
          fresh(random.nextLong());
          try (DiskFile file = disk.open(FILE)) {
            write(file, 0, "kept");
            file.flush();
            disk.flushDirectory(FOLDER);
            write(file, 4, "perhaps");
          }
          disk.crash();
          try (DiskFile file = disk.openReadOnly(FILE)) {
            assertThat(read(file, 0, 4)).isEqualTo("kept");
          }
        });
  }

  @Test
  void unflushedWritesSurviveInEveryCombination() {
    Set<String> found = new HashSet<>();
    Seeds.forEach(
        500,
        (_, random) -> {
          fresh(random.nextLong());
          try (DiskFile file = disk.open(FILE)) {
            file.write(ByteBuffer.allocate(2048), 0);
            file.flush();
            disk.flushDirectory(FOLDER);
            write(file, 0, "a");
            write(file, 1024, "b");
          }
          disk.crash();
          try (DiskFile file = disk.openReadOnly(FILE)) {
            found.add((read(file, 0, 1) + read(file, 1024, 1)).replace('\0', '-'));
          }
        });
    assertThat(found)
        .as("the later without the earlier, too")
        .containsExactlyInAnyOrder("--", "a-", "-b", "ab");
  }

  @Test
  void aWriteIsTornAtASector() {
    Set<Long> sizes = new HashSet<>();
    Seeds.forEach(
        300,
        (_, random) -> {
          fresh(random.nextLong());
          try (DiskFile file = disk.open(FILE)) {
            file.flush();
            disk.flushDirectory(FOLDER);
            file.write(ByteBuffer.allocate(1200), 0);
          }
          disk.crash();
          sizes.add(disk.size(FILE));
        });
    assertThat(sizes).containsExactlyInAnyOrder(0L, 512L, 1024L, 1200L);
  }

  @Test
  void aNameThatWasNotFlushedMayBeGoneAndARenameIsSeenWhole() {
    Set<Object> found = new HashSet<>();
    Seeds.forEach(
        100,
        (_, random) -> {
          fresh(random.nextLong());
          disk.open(FILE).close();
          disk.flushDirectory(FOLDER);
          disk.rename(FILE, FOLDER.resolve("journal.old"));
          disk.crash();
          found.add(disk.list(FOLDER));
        });
    assertThat(found)
        .containsExactlyInAnyOrder(
            java.util.List.of(FILE), java.util.List.of(FOLDER.resolve("journal.old")));
  }

  @Test
  void aFailedFlushLosesWhatItShouldHaveKept() throws IOException {
    try (DiskFile file = disk.open(FILE)) {
      file.flush();
      disk.flushDirectory(FOLDER);
      write(file, 0, "lost");
      disk.failFlushAfter(0);
      assertThatThrownBy(file::flush).hasMessageContaining("on flush");
      file.flush();
    }
    assertThat(disk.size(FILE)).isEqualTo(4);
    disk.crash();
    // The second flush said yes; the pages were gone by then. Only a journal that stops at the
    // first failed flush is safe here.
    assertThat(disk.size(FILE)).isIn(0L, 4L);
  }

  @Test
  void aFullDiskSaysSoAndKeepsWhatItHas() throws IOException {
    disk.capacity(8);
    try (DiskFile file = disk.open(FILE)) {
      write(file, 0, "12345678");
      assertThatThrownBy(() -> write(file, 8, "9")).hasMessage("No space left on device");
      write(file, 0, "87654321");
      assertThat(read(file, 0, 9)).isEqualTo("87654321");
      assertThat(disk.freeBytes(FILE)).isZero();
    }
  }

  @Test
  void writesFailWhenToldToAndAReadOnlyDiskTakesNothing() throws IOException {
    try (DiskFile file = disk.open(FILE)) {
      disk.failWriteAfter(1);
      write(file, 0, "fine");
      assertThatThrownBy(() -> write(file, 4, "not")).hasMessageContaining("planted");
      disk.readOnly(true);
      assertThatThrownBy(() -> write(file, 0, "x")).hasMessage("Read-only file system");
      assertThat(read(file, 0, 4)).isEqualTo("fine");
    }
  }

  @Test
  void aHandleFromBeforeACrashIsDead() throws IOException {
    DiskFile file = disk.open(FILE);
    disk.crash();
    assertThatThrownBy(file::size).hasMessage("the file is closed by a crash");
  }

  @Test
  void oneBitCanBeFlipped() throws IOException {
    try (DiskFile file = disk.open(FILE)) {
      write(file, 0, "ab");
      disk.flipBit(FILE, 8);
      assertThat(read(file, 0, 2)).isEqualTo("ac");
    }
  }

  private void fresh(long seed) {
    disk = new FaultyDisk(new VirtualTime(), new SplittableRandom(seed));
    disk.createFolders(FOLDER);
  }
}
