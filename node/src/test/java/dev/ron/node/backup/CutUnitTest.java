package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutUnitTest {
  private static final String TABLE = "rows/000012.sst";
  private static final String LISTED = "rows/MANIFEST-000004";
  private static final String OBJECTS = "objects/00000001.segment";
  private static final String REFERENCES = "references/00000001.segment";
  private static final String SEGMENT = "journal/00000000000000000000.log";

  @TempDir private Path folder;

  private Path make(String name, String text) throws IOException {
    Path file = folder.resolve("store").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /**
   * A table of rows is written to its end before the list of tables has it: a cut that saw the
   * table first would have half of one that its list calls whole.
   */
  @Test
  void aTableThatTheListHasIsWholeInTheCut() throws Exception {
    Path table = make(TABLE, "half");
    Path list = make(LISTED, "nothing yet");
    Path segment = make(SEGMENT, "");
    var disk =
        WatchedDisk.reads(
            read -> {
              if (read.equals(segment) && Files.size(table) == "half".length()) {
                Files.writeString(table, " and half", UTF_8, StandardOpenOption.APPEND);
                Files.writeString(list, ", now the table", UTF_8, StandardOpenOption.APPEND);
              }
            });
    var cut = unit(disk, _ -> false).take();
    assertThat(size(cut, LISTED)).isEqualTo("nothing yet".length());
    assertThat(size(cut, TABLE)).isEqualTo("half and half".length());
  }

  /** The node goes on: what its list names later is in no cut that was taken before. */
  @Test
  void theListInTheCutStaysAsItWas() throws Exception {
    Path list = make(LISTED, "one table");
    make(TABLE, "whole");
    Path to = folder.resolve("cut");
    var cut = unit(new RealDisk(), _ -> false).take();
    Files.writeString(list, ", and another", UTF_8, StandardOpenOption.APPEND);
    assertThat(to.resolve(LISTED)).hasContent("one table");
    assertThat(size(cut, LISTED)).isEqualTo("one table".length());
  }

  /**
   * A delete lets the bytes go and then the reference: a cut that measured the bytes before it and
   * the references after it would have bytes that belong to no tenant.
   */
  @Test
  void bytesThatAreInTheCutHaveTheirReferences() throws Exception {
    Path objects = make(OBJECTS, "bytes");
    Path references = make(REFERENCES, "reference");
    int[] asked = new int[1];
    Predicate<Path> steady =
        below -> {
          boolean reference = below.equals(Path.of(REFERENCES));
          // At first before all others are measured, and then among them, behind the bytes.
          if (reference && ++asked[0] == 2) {
            append(objects, ", dropped");
            append(references, ", dropped");
          }
          return reference;
        };
    var cut = unit(new RealDisk(), steady).take();
    assertThat(references).hasContent("reference, dropped");
    assertThat(size(cut, REFERENCES)).isEqualTo("reference, dropped".length());
    assertThat(size(cut, OBJECTS)).isEqualTo("bytes, dropped".length());
  }

  @Test
  void referencesThatNeverRestAreNoCut() throws Exception {
    make(OBJECTS, "bytes");
    Path references = make(REFERENCES, "reference");
    Predicate<Path> steady =
        below -> {
          if (below.equals(Path.of(OBJECTS))) {
            append(references, ".");
          }
          return below.equals(Path.of(REFERENCES));
        };
    assertThatThrownBy(unit(new RealDisk(), steady)::take)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("try again when less is written");
  }

  private CutUnit unit(Disk disk, Predicate<Path> steady) {
    return new CutUnit(
        disk, "s", folder.resolve("store"), folder.resolve("cut"), _ -> true, steady);
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, UTF_8, StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static long size(Iterable<CutFile> cut, String name) {
    for (CutFile file : cut) {
      if (file.name().equals("s/" + name)) {
        return file.size();
      }
    }
    throw new AssertionError("no " + name + " in " + cut);
  }
}
