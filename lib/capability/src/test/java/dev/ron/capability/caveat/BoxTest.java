package dev.ron.capability.caveat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | 0   | 0   | -180,-85.0511288,180,85.0511288
          1 | 0   | 0   | -180,0,0,85.0511288
          1 | 1   | 1   | 0,-85.0511288,180,0
          2 | 3   | 0   | 90,66.5132604,180,85.0511288
          10 | 550 | 335 | 13.359375,52.4827802,13.7109375,52.6963611
          """)
  void aTileHasAnArea(int zoom, long x, long y, String area) {
    assertThat(Box.ofTile(zoom, x, y).text()).isEqualTo(area);
  }

  @Test
  void aTileLiesInItsParentAndInNoNeighbour() {
    var random = new Random(0x5eed_0030L);
    for (int i = 0; i < 10_000; i++) {
      int zoom = 1 + random.nextInt(20);
      long x = random.nextLong(1L << zoom);
      long y = random.nextLong(1L << zoom);
      Box tile = Box.ofTile(zoom, x, y);
      Box parent = Box.ofTile(zoom - 1, x / 2, y / 2);
      assertThat(parent.contains(tile)).as("%d/%d/%d", zoom, x, y).isTrue();
      assertThat(tile.contains(parent)).isFalse();
      assertThat(Box.ofTile(zoom, x ^ 1, y).contains(tile)).isFalse();
    }
  }

  @Test
  void noTileIsNotAnArea() {
    assertThatThrownBy(() -> Box.ofTile(2, 4, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Box.ofTile(32, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Box.ofTile(2, 0, -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
