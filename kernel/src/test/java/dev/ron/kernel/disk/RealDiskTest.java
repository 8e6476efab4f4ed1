package dev.ron.kernel.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealDiskTest {
  private final Disk disk = new RealDisk();
  @TempDir private Path folder;

  @Test
  void whatWasWrittenIsReadAtItsPosition() throws IOException {
    try (DiskFile file = disk.open(folder.resolve("a"))) {
      file.write(ByteBuffer.wrap("hello world".getBytes(UTF_8)), 3);
      file.flush();
      assertThat(file.size()).isEqualTo(14);
      assertThat(read(file, 9, 5)).isEqualTo("world");
      assertThat(read(file, 9, 50)).as("a read past the end is short").isEqualTo("world");
      assertThat(read(file, 14, 5)).isEmpty();
      file.truncate(8);
      assertThat(read(file, 3, 50)).isEqualTo("hello");
    }
  }

  @Test
  void aFileSurvivesTheInterruptionOfOneOfItsReaders() throws Exception {
    try (DiskFile file = disk.open(folder.resolve("a"))) {
      file.write(ByteBuffer.wrap("hello".getBytes(UTF_8)), 0);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> read(file, 0, 5)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(read(file, 0, 5)).isEqualTo("hello");
    }
  }

  @Test
  void aClosedFileStaysClosed() throws IOException {
    DiskFile file = disk.open(folder.resolve("a"));
    file.close();
    assertThatThrownBy(file::size).isInstanceOf(IOException.class);
  }

  @Test
  void renamingReplacesInOneStep() throws IOException {
    for (String name : new String[] {"old", "new"}) {
      try (DiskFile file = disk.open(folder.resolve(name))) {
        file.write(ByteBuffer.wrap(name.getBytes(UTF_8)), 0);
        file.flush();
      }
    }
    disk.rename(folder.resolve("new"), folder.resolve("old"));
    disk.flushDirectory(folder);
    assertThat(disk.list(folder)).containsExactly(folder.resolve("old"));
    try (DiskFile file = disk.openReadOnly(folder.resolve("old"))) {
      assertThat(read(file, 0, 9)).isEqualTo("new");
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0)).isInstanceOf(Exception.class);
    }
    disk.delete(folder.resolve("old"));
    assertThat(disk.exists(folder.resolve("old"))).isFalse();
    assertThat(disk.freeBytes(folder)).isPositive();
  }

  private static String read(DiskFile file, long position, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    int count = file.read(into, position);
    return new String(into.array(), 0, count, UTF_8);
  }
}
