package dev.ron.tilepack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MBTiles as writers make them, and as nobody should. */
class MbtilesPackTest {
  private static final String TABLES =
      """
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      INSERT INTO metadata VALUES ('name', 'test'), ('format', 'png'), ('bounds', '-10,-20.5,30,40'),
        ('center', '0,0,1'), ('minzoom', '0'), ('maxzoom', '2');
      INSERT INTO tiles VALUES (0, 0, 0, 'whole'), (1, 0, 0, 'south'), (1, 0, 1, 'north');
      """;

  @TempDir Path folder;

  private Path database(String... statements) throws SQLException {
    Path file = folder.resolve("a b%23.mbtiles");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.executeUpdate(sql);
      }
    }
    return file;
  }

  private static Packs.Opening open(Path file) {
    return Packs.open(file, SamplePacks.cache());
  }

  @Test
  void rowsAreCountedFromTheSouth() throws SQLException {
    try (Pack pack = ((Packs.Opening.Opened) open(database(TABLES))).pack()) {
      assertThat(tile(pack, 0, 0, 0)).isEqualTo("whole");
      assertThat(tile(pack, 1, 0, 0)).isEqualTo("north");
      assertThat(tile(pack, 1, 0, 1)).isEqualTo("south");
      assertThat(pack.tile(new TileCoord(1, 1, 1))).isEqualTo(new TileLookup.Empty());
      assertThat(pack.tile(new TileCoord(2, 3, 3))).isEqualTo(new TileLookup.Outside());
      assertThat(pack.tile(new TileCoord(3, 0, 0))).isEqualTo(new TileLookup.Outside());
      assertThat(pack.header().format()).isEqualTo(PackHeader.Format.MBTILES);
      assertThat(pack.header().bounds()).isEqualTo(Bounds.ofDegrees(-10, -20.5, 30, 40));
      assertThat(SamplePacks.verdict(pack)).isEqualTo("good");
    }
  }

  @Test
  void aVectorTileIsGzippedOrSaysOtherwise() throws SQLException {
    try (Pack pack =
        ((Packs.Opening.Opened)
                open(
                    database(
                        TABLES,
                        "UPDATE metadata SET value = 'pbf' WHERE name = 'format'",
                        "UPDATE tiles SET tile_data = x'1f8b0800' WHERE zoom_level = 0",
                        """
                        INSERT INTO metadata VALUES ('json', '{"vector_layers":[{"id":"roads"}]}')
                        """)))
            .pack()) {
      assertThat(((TileLookup.Found) pack.tile(new TileCoord(0, 0, 0))).compression())
          .isEqualTo(Compression.GZIP);
      assertThat(((TileLookup.Found) pack.tile(new TileCoord(1, 0, 0))).compression())
          .isEqualTo(Compression.NONE);
      assertThat(pack.metadata().vectorLayers().getFirst().id()).isEqualTo("roads");
    }
  }

  private static String tile(Pack pack, int zoom, int x, int y) {
    return new String(((TileLookup.Found) pack.tile(new TileCoord(zoom, x, y))).stored(), UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DROP TABLE tiles                                                      | good",
        "DROP TABLE metadata                                                   | pack-directory",
        "DELETE FROM metadata WHERE name = 'format'                            | pack-metadata",
        "UPDATE metadata SET value = 'exe' WHERE name = 'format'               | pack-metadata",
        "UPDATE metadata SET value = '9,9,1,1' WHERE name = 'bounds'           | pack-metadata",
        "UPDATE metadata SET value = '1e9,1,2,3' WHERE name = 'bounds'         | pack-metadata",
        "UPDATE metadata SET value = '99' WHERE name = 'maxzoom'               | pack-metadata",
        "UPDATE metadata SET value = '-1' WHERE name = 'minzoom'               | pack-metadata",
        "UPDATE metadata SET value = '9' WHERE name = 'minzoom'                | pack-metadata",
        "INSERT INTO metadata VALUES ('json', '[')                             | pack-metadata",
        "INSERT INTO metadata VALUES ('a', zeroblob(20000000))                 | pack-directory",
      })
  void whatItSaysOfItselfIsChecked(String change, String verdict) throws SQLException {
    String said =
        switch (open(database(TABLES, change))) {
          case Packs.Opening.Refused(PackFault fault) -> fault.code();
          case Packs.Opening.Opened(Pack pack) -> {
            try (pack) {
              yield SamplePacks.verdict(pack);
            }
          }
        };
    assertThat(said).isEqualTo(verdict);
  }

  @Test
  void aViewThatNeverEndsEnds() throws SQLException {
    Path file =
        database(
            TABLES,
            "DROP TABLE tiles",
            """
            CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
              SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, 'x' AS tile_data FROM n
              WHERE i < 0
            """);
    try (Pack pack = ((Packs.Opening.Opened) open(file)).pack()) {
      assertThat(pack.tile(new TileCoord(0, 0, 0))).isInstanceOf(TileLookup.Broken.class);
    }
  }

  @Test
  void aTileTooLargeIsBroken() throws SQLException {
    Path file =
        database(TABLES, "UPDATE tiles SET tile_data = zeroblob(11000000) WHERE zoom_level = 0");
    try (Pack pack = ((Packs.Opening.Opened) open(file)).pack()) {
      assertThat(pack.tile(new TileCoord(0, 0, 0))).isInstanceOf(TileLookup.Broken.class);
      assertThat(tile(pack, 1, 0, 0)).isEqualTo("north");
    }
  }

  @Test
  void aDatabaseCutShortIsRefused() throws Exception {
    Path file = database(TABLES);
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {16, 99, 100, 1000, 4096, whole.length - 4096}) {
      Path cut = Files.write(folder.resolve("cut"), java.util.Arrays.copyOf(whole, length));
      String said =
          switch (open(cut)) {
            case Packs.Opening.Refused(PackFault fault) -> fault.code();
            case Packs.Opening.Opened(Pack pack) -> {
              try (pack) {
                yield SamplePacks.verdict(pack);
              }
            }
          };
      assertThat(said).as("cut at %d of %d", length, whole.length).startsWith("pack-");
    }
  }

  @Test
  void nothingIsWrittenBesideIt() throws Exception {
    Path file = database(TABLES, "PRAGMA journal_mode = WAL");
    try (Pack pack = ((Packs.Opening.Opened) open(file)).pack()) {
      assertThat(tile(pack, 0, 0, 0)).isEqualTo("whole");
      try (var files = Files.list(folder)) {
        assertThat(files).containsExactly(file);
      }
    }
  }
}
