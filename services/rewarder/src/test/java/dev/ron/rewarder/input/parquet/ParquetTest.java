package dev.ron.rewarder.input.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.core.score.Tally;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files written by DuckDB, and the same with their bytes changed. */
final class ParquetTest {
  @TempDir private Path folder;

  private Path write(String query, String options) throws Exception {
    Path out = folder.resolve("f.parquet");
    Files.deleteIfExists(out);
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      statement.execute("COPY (%s) TO '%s' (FORMAT parquet%s)".formatted(query, out, options));
    }
    return out;
  }

  private static Tally read(Path path, boolean holds) throws IOException {
    var policy =
        new Policy(
            "p",
            1,
            Map.of("m", 1L, "n", 2L),
            Rounding.FLOOR,
            Wide.ZERO,
            Optional.empty(),
            Optional.empty(),
            holds,
            List.of());
    var tally = new Tally(policy, 64L << 20);
    try (DiskFile file = new RealDisk().openReadOnly(path)) {
      for (ParquetFooter.RowGroup group : ParquetFooter.read(file).rowGroups()) {
        LineFault fault = ParquetRows.read(file, group, tally);
        if (fault != null) {
          throw new IOException(fault.line() + ": " + fault.reason());
        }
      }
    }
    return tally;
  }

  private static Wide sum(Tally tally) {
    Wide sum = Wide.ZERO;
    try (ScoreCursor cursor = new SortedScores(tally.scores()).open()) {
      while (cursor.next()) {
        sum = sum.plus(cursor.score(0));
      }
    }
    return sum;
  }

  @Test
  void everyTypeOfUnitsAndEveryCodecIsRead() throws Exception {
    for (String units :
        List.of(
            "i::INTEGER",
            "i::BIGINT",
            "i::UBIGINT",
            "i::UINTEGER",
            "i::VARCHAR",
            "i::DECIMAL(38,0)",
            "i::DECIMAL(18,0)",
            "i::DECIMAL(9,0)")) {
      for (String codec : List.of("snappy", "zstd", "gzip", "uncompressed")) {
        Tally tally =
            read(
                write(
                    "SELECT 'actor-' || (i %% 1000) AS actor, 'm' AS metric, %s AS units FROM range(20000) t(i)"
                        .formatted(units),
                    ", COMPRESSION " + codec),
                false);
        assertThat(sum(tally)).as("%s %s", units, codec).isEqualTo(Wide.of(199_990_000));
        assertThat(tally.scores().size()).isEqualTo(1000);
        assertThat(tally.lines()).isEqualTo(20_000);
      }
    }
  }

  @Test
  void manyDistinctActorsAreReadWithoutADictionary() throws Exception {
    Tally tally =
        read(
            write(
                "SELECT md5(i::VARCHAR) AS actor, 'n' AS metric, i AS units FROM range(200000) t(i)",
                ""),
            false);
    assertThat(tally.scores().size()).isEqualTo(200_000);
    assertThat(sum(tally)).isEqualTo(Wide.of(199_999L * 200_000));
  }

  @Test
  void whatIsNotAccountingIsRefused() throws Exception {
    String[][] table = {
      {"SELECT 'a' AS actor, 'm' AS metric, 1.5 AS units", "or has a fraction"},
      {
        "SELECT 'a' AS actor, 'm' AS metric, 1.5::DOUBLE AS units", "units must be text, an integer"
      },
      {"SELECT 'a' AS actor, 'm' AS metric, NULL::INTEGER AS units", "a null"},
      {"SELECT 'a' AS actor, 'm' AS metric", "actor, metric or units is missing"},
      {"SELECT 'a' AS actor, 'm' AS metric, 1 AS units, 2 AS extra", "a column that is not known"},
      {"SELECT 5 AS actor, 'm' AS metric, 1 AS units", "actor and metric must be text"},
      {"SELECT ['a'] AS actor, 'm' AS metric, 1 AS units", "nested columns"},
      {"SELECT '' AS actor, 'm' AS metric, 1 AS units", "1: the actor must have"},
      {"SELECT 'a' AS actor, 'z' AS metric, 1 AS units", "1: unknown-metric"},
      {"SELECT 'a' AS actor, 'm' AS metric, -1 AS units", "1: negative"},
      {"SELECT 'a' AS actor, 'm' AS metric, '007' AS units", "1: not-a-number"},
      {
        "SELECT 'a' AS actor, 'm' AS metric, 79228162514264337593543950336::DECIMAL(38,0) AS units",
        "1: overflow"
      },
    };
    for (String[] row : table) {
      Path file = write(row[0], "");
      assertThatThrownBy(() -> read(file, false)).as(row[0]).hasMessageContaining(row[1]);
    }
  }

  @Test
  void damagedFilesAreRefusedOrReadAndNeverBreakTheReader() throws Exception {
    byte[] good =
        Files.readAllBytes(
            write(
                "SELECT 'a' || (i % 7) AS actor, 'm' AS metric, i AS units FROM range(3000) t(i)",
                ""));
    Path path = folder.resolve("damaged.parquet");
    Seeds.forEach(
        1500,
        (_, random) -> {
          byte[] bad = good.clone();
          for (int i = random.nextInt(4); i >= 0; i--) {
            int at =
                random.nextBoolean()
                    ? random.nextInt(bad.length)
                    : bad.length - 1 - random.nextInt(Math.min(600, bad.length));
            bad[at] = (byte) random.nextInt(256);
          }
          int length = random.nextInt(10) == 0 ? random.nextInt(bad.length) : bad.length;
          Files.write(path, java.util.Arrays.copyOf(bad, length));
          try {
            read(path, true);
          } catch (IOException refused) {
            assertThat(refused.getMessage()).isNotBlank();
          }
        });
  }
}
