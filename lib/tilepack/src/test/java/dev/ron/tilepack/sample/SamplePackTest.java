package dev.ron.tilepack.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.decode.DecodeLimits;
import dev.ron.tilepack.DirectoryCache;
import dev.ron.tilepack.Pack;
import dev.ron.tilepack.PackCheck;
import dev.ron.tilepack.PackDecompression;
import dev.ron.tilepack.PackMetadata;
import dev.ron.tilepack.Packs;
import dev.ron.tilepack.TileLookup;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The map that ships: whole, small, the same each time, and drawn the right way round. */
final class SamplePackTest {
  private static Pack pack() throws IOException {
    return ((Packs.Opening.Opened) Packs.open(SamplePack.bytes(), new DirectoryCache(1 << 20)))
        .pack();
  }

  @Test
  void itIsWholeAndSmall() throws IOException {
    assertThat(pack().check().run()).isInstanceOf(PackCheck.Progress.Good.class);
    assertThat(SamplePack.bytes()).hasSizeLessThan(1 << 20);
  }

  @Test
  void makingItAgainGivesTheSameBytes() throws IOException {
    assertThat(SampleMap.make()).isEqualTo(SamplePack.bytes());
  }

  @Test
  void everyTileDecodesWithinTheGuardAndEveryLayerIsThere() throws IOException {
    Pack pack = pack();
    Set<String> seen = new TreeSet<>();
    int tiles = 0;
    for (long id = 0; id < TileId.first(SampleMap.ZOOM_MAX + 1); id++) {
      TileCoord place = TileId.coord(id);
      if (pack.header().bounds().touches(place)
          && pack.tile(place) instanceof TileLookup.Found found) {
        var plain =
            PackDecompression.unpack(
                found.compression(), found.stored(), DecodeLimits.capped(10 << 20));
        assertThat(plain).as("%s", place).isInstanceOf(PackDecompression.Unpacked.Plain.class);
        seen.addAll(TileReader.layers(((PackDecompression.Unpacked.Plain) plain).bytes()));
        tiles++;
      }
    }
    assertThat(tiles).isGreaterThan(100);
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            pack.metadata().vectorLayers().stream().map(PackMetadata.VectorLayer::id).toList());
  }

  @Test
  void outerRingsGoClockwiseOnTheScreenAndHolesTheOtherWay() {
    // A square with a hole, sampled every 10 units.
    var contours =
        new Contours(
            0,
            10,
            40,
            (x, y) -> {
              int fromMiddle = Math.max(Math.abs(x - 200), Math.abs(y - 200));
              return fromMiddle < 150 && fromMiddle > 50 ? 1 : -1;
            });
    List<int[]> rings = contours.above(0, 1);
    assertThat(rings).hasSize(2);
    assertThat(Contours.area(rings.get(0))).isBetween(80_000.0, 96_000.0);
    assertThat(Contours.area(rings.get(1))).isBetween(-13_000.0, -10_000.0);
  }

  @Test
  void aLineIsCutAtTheEdgeAndComesBackInPieces() {
    double[] zigzag = {-50, 5, 5, 5, 50, 5, 50, 8, 5, 8};
    assertThat(Polyline.clipped(zigzag, 0, 10, 0.1))
        .containsExactly(new int[] {0, 5, 10, 5}, new int[] {10, 8, 5, 8});
  }
}
