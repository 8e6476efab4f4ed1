package dev.ron.tilepack.sample;

import dev.ron.tilepack.Compression;
import dev.ron.tilepack.PmtilesWriter;
import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Makes the pack that {@link SamplePack} hands out. The build runs it once, after the tests are
 * compiled and before any runs, and puts what it made into the jar.
 *
 * <p>Threading: stateless.
 */
public final class SampleMap {
  static final int ZOOM_MAX = 10;

  private static final Bounds BOUNDS =
      Bounds.ofDegrees(
          -Terrain.HALF_WIDTH_KM / SampleTile.DEGREE_KM,
          -Terrain.HALF_HEIGHT_KM / SampleTile.DEGREE_KM,
          Terrain.HALF_WIDTH_KM / SampleTile.DEGREE_KM,
          Terrain.HALF_HEIGHT_KM / SampleTile.DEGREE_KM);

  private static final String METADATA =
      """
      {"name":"Ron Isles","description":"An archipelago that does not exist, made by a program.",\
      "attribution":"Ron Isles, an invented map","type":"baselayer","version":"1","vector_layers":[\
      {"id":"depth","description":"Sea above a depth","fields":{"metres":"Number"}},\
      {"id":"land","description":"Land","fields":{}},\
      {"id":"relief","description":"Land above a height","minzoom":0,"maxzoom":10,"fields":{"metres":"Number"}},\
      {"id":"shade","description":"Slopes in light and shade","minzoom":6,"maxzoom":10,"fields":{"tone":"Number"}},\
      {"id":"landcover","description":"Forest and town","minzoom":6,"maxzoom":10,"fields":{"kind":"String"}},\
      {"id":"river","description":"Rivers","minzoom":5,"maxzoom":10,"fields":{"size":"Number"}},\
      {"id":"road","description":"Roads","minzoom":5,"maxzoom":10,"fields":{"kind":"String","name":"String"}},\
      {"id":"ferry","description":"Ferries","minzoom":5,"maxzoom":10,"fields":{"name":"String"}},\
      {"id":"peak","description":"Peaks","minzoom":7,"maxzoom":10,"fields":{"name":"String","metres":"Number"}},\
      {"id":"place","description":"Towns, islands and waters","fields":\
      {"kind":"String","name":"String","population":"Number","rank":"Number"}}]}""";

  private SampleMap() {}

  /** Makes it anew; the same bytes each time on one release of the JDK. */
  public static byte[] make() {
    Archipelago archipelago = Archipelago.make();
    var writer = new PmtilesWriter(TileType.MVT, Compression.GZIP, BOUNDS, METADATA);
    for (int zoom = 0; zoom <= ZOOM_MAX; zoom++) {
      for (int y = 0; y < 1 << zoom; y++) {
        for (int x = 0; x < 1 << zoom; x++) {
          var tile = new TileCoord(zoom, x, y);
          if (BOUNDS.touches(tile)) {
            byte[] plain = SampleTile.of(archipelago, tile);
            writer.add(tile, plain.length == 0 ? plain : PmtilesWriter.gzip(plain));
          }
        }
      }
    }
    return writer.write();
  }

  /** Writes the pack to the file that is named; the build calls this. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    Files.write(file, make());
  }
}
