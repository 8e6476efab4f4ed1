package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutUnitTest {
  private static final String TABLE = "rows/000012.sst";
  private static final String LISTED = "rows/MANIFEST-000004";
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
    var cut =
        new CutUnit(disk, "s", folder.resolve("store"), folder.resolve("cut"), _ -> true).take();
    assertThat(size(cut, LISTED)).isEqualTo("nothing yet".length());
    assertThat(size(cut, TABLE)).isEqualTo("half and half".length());
  }

  /** The node goes on: what its list names later is in no cut that was taken before. */
  @Test
  void theListInTheCutStaysAsItWas() throws Exception {
    Path list = make(LISTED, "one table");
    make(TABLE, "whole");
    Path to = folder.resolve("cut");
    var cut = new CutUnit(new RealDisk(), "s", folder.resolve("store"), to, _ -> true).take();
    Files.writeString(list, ", and another", UTF_8, StandardOpenOption.APPEND);
    assertThat(to.resolve(LISTED)).hasContent("one table");
    assertThat(size(cut, LISTED)).isEqualTo("one table".length());
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
