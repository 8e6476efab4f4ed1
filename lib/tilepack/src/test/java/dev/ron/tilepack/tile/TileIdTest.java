package dev.ron.tilepack.tile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The specification's examples, the curve's defining property, and both ends of the range. */
class TileIdTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0",
    "1, 0, 0, 1",
    "1, 0, 1, 2",
    "1, 1, 1, 3",
    "1, 1, 0, 4",
    "2, 0, 0, 5",
    "12, 3423, 1763, 19078479",
    "31, 2147483647, 0, 6148914691236517204",
  })
  void aTileHasItsNumber(int zoom, int x, int y, long id) {
    var tile = new TileCoord(zoom, x, y);
    assertThat(TileId.of(tile)).isEqualTo(id);
    assertThat(TileId.coord(id)).isEqualTo(tile);
  }

  @Test
  void neighboursOnTheCurveAreNeighboursOnTheMap() {
    for (int zoom = 1; zoom <= 6; zoom++) {
      for (long id = TileId.first(zoom) + 1; id < TileId.first(zoom + 1); id++) {
        TileCoord before = TileId.coord(id - 1);
        TileCoord here = TileId.coord(id);
        assertThat(Math.abs(before.x() - here.x()) + Math.abs(before.y() - here.y()))
            .as("%s to %s", before, here)
            .isEqualTo(1);
        assertThat(TileId.of(here)).isEqualTo(id);
      }
    }
  }

  @Test
  void everyZoomGoesThereAndBack() {
    long seed = Long.getLong("ron.seed", 7);
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      int zoom = random.nextInt(32);
      var tile =
          new TileCoord(zoom, (int) random.nextLong(1L << zoom), (int) random.nextLong(1L << zoom));
      assertThat(TileId.coord(TileId.of(tile))).as("seed %d", seed).isEqualTo(tile);
    }
  }

  @Test
  void theNumbersEndAtZoom31() {
    assertThat(TileId.zoom(TileId.END - 1)).isEqualTo(31);
    assertThat(TileId.END).isPositive();
    assertThatThrownBy(() -> TileId.zoom(TileId.END)).hasMessageContaining("no tile");
    assertThatThrownBy(() -> TileId.zoom(-1)).hasMessageContaining("no tile");
    assertThat(TileCoord.exists(32, 0, 0)).isFalse();
    assertThat(TileCoord.exists(3, 8, 0)).isFalse();
  }
}
