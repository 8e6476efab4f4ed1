package dev.ron.tilepack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import dev.ron.tilepack.tile.TileType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every tile of good packs, in every layout; and the specification's own files. */
class PmtilesPackTest {
  private static final Path FIXTURES =
      Path.of(System.getProperty("ron.root", "."), "..", "shared", "vectors", "pmtiles");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "NONE, 4096, MVT",
    "GZIP, 4096, PNG",
    "GZIP, 16, WEBP",
    "ZSTD, 16, AVIF",
    "BROTLI, 16, JPEG",
    "NONE, 1, MVT",
  })
  void everyTileComesBack(Compression internal, int leafEntries, TileType type) {
    Pack pack =
        SamplePacks.opened(
            SamplePacks.world(type, 5).write(SamplePacks.layout(internal, leafEntries)));
    assertThat(pack.header().tileType()).isEqualTo(type);
    assertThat(SamplePacks.verdict(pack)).isEqualTo("good");
    for (long id = 0; id < TileId.first(6); id++) {
      TileCoord tile = TileId.coord(id);
      String expected = SamplePacks.isSea(tile) ? "sea" : "tile " + tile;
      assertThat(pack.tile(tile))
          .as("%s", tile)
          .isInstanceOfSatisfying(
              TileLookup.Found.class,
              found -> assertThat(found.stored()).asString().isEqualTo(expected));
    }
    assertThat(pack.tile(new TileCoord(6, 0, 0))).isEqualTo(new TileLookup.Outside());
  }

  @Test
  void whatIsNotThereIsEmptyInsideAndOutsideBeyond() {
    var writer =
        new PmtilesWriter(
            TileType.MVT, Compression.NONE, Bounds.ofDegrees(1, 1, 40, 40), SamplePacks.METADATA);
    Pack pack =
        SamplePacks.opened(
            writer
                .add(new TileCoord(0, 0, 0), new byte[] {1})
                .add(new TileCoord(3, 4, 3), new byte[] {2})
                .write());
    assertThat(pack.tile(new TileCoord(2, 2, 1))).isEqualTo(new TileLookup.Empty());
    assertThat(pack.tile(new TileCoord(2, 1, 1))).isEqualTo(new TileLookup.Outside());
    assertThat(pack.tile(new TileCoord(2, 2, 2))).isEqualTo(new TileLookup.Outside());
    assertThat(pack.tile(new TileCoord(4, 8, 7))).isEqualTo(new TileLookup.Outside());
  }

  @Test
  void metadataAndHeaderAreTold() {
    Pack pack = SamplePacks.opened(SamplePacks.world(TileType.MVT, 3).write());
    assertThat(pack.metadata().name()).isEqualTo("test");
    assertThat(pack.metadata().vectorLayers())
        .extracting(PackMetadata.VectorLayer::id, layer -> layer.fields().get("kind"))
        .containsExactly(org.assertj.core.groups.Tuple.tuple("a", "String"));
    assertThat(pack.header().zoomMin()).isZero();
    assertThat(pack.header().zoomMax()).isEqualTo(3);
    assertThat(pack.header().addressedTiles()).isEqualTo(TileId.first(4));
    assertThat(pack.header().tileContents()).isLessThan(TileId.first(4));
  }

  @Test
  void anotherAddressThanPromisedIsAFault() {
    byte[] bytes = SamplePacks.world(TileType.MVT, 3).write();
    var own = new Address(Blake3.hash(bytes));
    var other = new Address(Blake3.hash(new byte[0]));
    assertThat(SamplePacks.opened(bytes).check().run(own))
        .isEqualTo(new PackCheck.Progress.Good(own));
    assertThat(SamplePacks.opened(bytes).check().run(other))
        .isEqualTo(new PackCheck.Progress.Refused(new PackFault.OtherAddress(other, own)));
  }

  @Test
  void aFileThatIsReplacedStaysWholeForItsReader() throws IOException {
    Path file = folder.resolve("a.pmtiles");
    byte[] old = SamplePacks.world(TileType.MVT, 4).write(SamplePacks.layout(Compression.GZIP, 8));
    Files.write(file, old);
    try (Pack pack = ((Packs.Opening.Opened) Packs.open(file, SamplePacks.cache())).pack()) {
      Path fresh = Files.write(folder.resolve("b"), SamplePacks.world(TileType.PNG, 1).write());
      Files.move(fresh, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
      assertThat(pack.check().run(new Address(Blake3.hash(old))))
          .isInstanceOf(PackCheck.Progress.Good.class);
      assertThat(pack.tile(new TileCoord(4, 0, 15))).isInstanceOf(TileLookup.Found.class);
    }
  }

  @Test
  void aFileThatIsCutInPlaceIsAFault() throws IOException {
    Path file = folder.resolve("a.pmtiles");
    Files.write(file, SamplePacks.world(TileType.MVT, 7).write());
    try (Pack pack = ((Packs.Opening.Opened) Packs.open(file, SamplePacks.cache())).pack()) {
      Files.write(file, new byte[0]);
      assertThat(SamplePacks.verdict(pack)).startsWith("pack-unreadable");
    }
  }

  @Test
  void leafDirectoriesStayWithinTheirBytes() {
    byte[] bytes =
        SamplePacks.world(TileType.MVT, 6).write(SamplePacks.layout(Compression.GZIP, 64));
    var cache = new DirectoryCache(16 * 1024);
    Pack pack = ((Packs.Opening.Opened) Packs.open(bytes, cache)).pack();
    for (long id = 0; id < TileId.first(7); id++) {
      assertThat(pack.tile(TileId.coord(id))).isInstanceOf(TileLookup.Found.class);
    }
    assertThat(cache.bytes()).isBetween(1L, 16L * 1024);
  }

  @ParameterizedTest
  @CsvSource({
    "test_fixture_1.pmtiles, good",
    "stamen_toner_z3.pmtiles, good",
    "empty.pmtiles, pack-unknown",
    "invalid.pmtiles, pack-unknown",
    "invalid_v4.pmtiles, pack-unknown",
  })
  void theFilesOfTheSpecificationAreToldApart(String name, String verdict) throws IOException {
    Path file = FIXTURES.resolve(name);
    Assumptions.assumeTrue(
        Files.exists(file), "NOT RUN: the public PMTiles files are not at " + FIXTURES);
    assertThat(SamplePacks.verdict(Files.readAllBytes(file))).startsWith(verdict);
  }

  @Test
  void aRasterPackOfTheSpecificationHoldsPictures() throws IOException {
    Path file = FIXTURES.resolve("stamen_toner_z3.pmtiles");
    Assumptions.assumeTrue(
        Files.exists(file), "NOT RUN: the public PMTiles files are not at " + FIXTURES);
    Pack pack = SamplePacks.opened(Files.readAllBytes(file));
    assertThat(pack.header().tileType()).isEqualTo(TileType.PNG);
    for (long id = 0; id < TileId.first(4); id++) {
      var found = (TileLookup.Found) pack.tile(TileId.coord(id));
      assertThat(found.stored()).startsWith(0x89, 'P', 'N', 'G').hasSizeGreaterThan(100);
    }
  }
}
