package dev.ron.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What every disk does, the real one and the one that is made to fail. */
public abstract class DiskContract {
  /** The disk under test. */
  protected abstract Disk disk();

  /** A folder on it that exists and is empty. */
  protected abstract Path folder();

  @Test
  void aFileIsReadWhereItWasWritten() throws IOException {
    try (DiskFile file = disk().open(folder().resolve("a"))) {
      write(file, 3, "hello");
      assertThat(file.size()).isEqualTo(8);
      assertThat(read(file, 3, 5)).isEqualTo("hello");
      assertThat(read(file, 0, 4)).isEqualTo("\0\0\0h");
      assertThat(read(file, 5, 99)).as("short at the end").isEqualTo("llo");
      assertThat(read(file, 99, 1)).isEmpty();
    }
  }

  @Test
  void truncatingForgetsTheTail() throws IOException {
    try (DiskFile file = disk().open(folder().resolve("a"))) {
      write(file, 0, "hello");
      file.truncate(2);
      write(file, 4, "!");
      assertThat(read(file, 0, 9)).isEqualTo("he\0\0!");
    }
  }

  @Test
  void openingAgainFindsTheSameBytes() throws IOException {
    try (DiskFile file = disk().open(folder().resolve("a"))) {
      write(file, 0, "hello");
      file.flush();
    }
    try (DiskFile file = disk().openReadOnly(folder().resolve("a"))) {
      assertThat(read(file, 0, 9)).isEqualTo("hello");
    }
  }

  @Test
  void aFileThatIsNotThereCannotBeRead() {
    assertThatThrownBy(() -> disk().openReadOnly(folder().resolve("missing")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void aReadOnlyFileIsNotWritten() throws IOException {
    disk().open(folder().resolve("a")).close();
    try (DiskFile file = disk().openReadOnly(folder().resolve("a"))) {
      assertThatThrownBy(() -> write(file, 0, "x")).isInstanceOf(Exception.class);
    }
  }

  @Test
  void namesAreListedInOrderAndRenamingReplaces() throws IOException {
    for (String name : new String[] {"c", "a", "b"}) {
      try (DiskFile file = disk().open(folder().resolve(name))) {
        write(file, 0, name);
      }
    }
    disk().rename(folder().resolve("c"), folder().resolve("a"));
    disk().delete(folder().resolve("nothing"));
    assertThat(disk().list(folder())).containsExactly(folder().resolve("a"), folder().resolve("b"));
    try (DiskFile file = disk().openReadOnly(folder().resolve("a"))) {
      assertThat(read(file, 0, 1)).isEqualTo("c");
    }
    assertThat(disk().exists(folder().resolve("c"))).isFalse();
  }

  protected static void write(DiskFile file, long position, String text) throws IOException {
    file.write(ByteBuffer.wrap(text.getBytes(UTF_8)), position);
  }

  protected static String read(DiskFile file, long position, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    int count = file.read(into, position);
    return new String(into.array(), 0, count, UTF_8);
  }
}
