package dev.ron.tilepack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.tilepack.tile.VectorTile;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of the vector tile specification, byte for byte. */
class VectorTileTest {
  private static String hex(VectorTile tile) {
    return HexFormat.of().formatHex(tile.bytes());
  }

  /** One layer "a" with one feature: tags empty, its type, its commands. */
  private static String expected(int type, String commands) {
    int geometry = commands.length() / 2;
    String feature = "1200" + "18%02x".formatted(type) + "22%02x".formatted(geometry) + commands;
    String layer =
        "7802" + "0a0161" + "12%02x".formatted(feature.length() / 2) + feature + "288020";
    return "1a%02x".formatted(layer.length() / 2) + layer;
  }

  @Test
  void aPoint() {
    var tile = new VectorTile();
    tile.layer("a").point(25, 17, Map.of());
    assertThat(hex(tile)).isEqualTo(expected(1, "093222"));
  }

  @Test
  void aLine() {
    var tile = new VectorTile();
    tile.layer("a").line(new int[] {2, 2, 2, 10, 10, 10}, Map.of());
    assertThat(hex(tile)).isEqualTo(expected(2, "0904041200101000"));
  }

  @Test
  void aPolygon() {
    var tile = new VectorTile();
    tile.layer("a").polygon(List.of(new int[] {3, 6, 8, 12, 20, 34}), Map.of());
    assertThat(hex(tile)).isEqualTo(expected(3, "09060c120a0c182c0f"));
  }

  @Test
  void propertiesAreNamedOnce() {
    var tile = new VectorTile();
    tile.layer("a").point(0, 0, Map.of("k", "v"));
    tile.layer("a").point(0, 0, Map.of("k", 3));
    tile.layer("a").point(0, 0, Map.of("k", "v"));
    assertThat(hex(tile))
        .contains("12020000", "12020001")
        .containsOnlyOnce("1a016b")
        .containsOnlyOnce("22030a0176")
        .containsOnlyOnce("22023006");
  }

  @Test
  void aTileWithNothingInItIsNoBytes() {
    var tile = new VectorTile();
    tile.layer("a");
    assertThat(tile.bytes()).isEmpty();
  }
}
