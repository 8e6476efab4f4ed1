package dev.ron.tilepack.sample;

import dev.ron.tilepack.tile.Mercator;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.VectorTile;
import java.util.List;
import java.util.Map;

/**
 * One tile of the sample map.
 *
 * <p>Threading: owned by one thread.
 */
final class SampleTile {
  /**
   * Samples along a tile's edge, four pixels apart where a tile shows whole islands and eight where
   * the terrain has no more to show.
   */
  private static final int CELLS_FAR = 128;

  private static final int CELLS_NEAR = 64;
  private static final int ZOOM_NEAR = 9;

  /** Three samples beyond the edge on each side; the outermost is the rim where areas close. */
  private static final int MARGIN = 3;

  /** How far lines reach beyond the edge. */
  private static final int BUFFER = 128;

  /** A degree at the equator. */
  static final double DEGREE_KM = 111.32;

  private static final List<Integer> DEPTHS = List.of(-900, -450, -180, -50);
  private static final List<Integer> ELEVATIONS =
      List.of(100, 200, 300, 400, 500, 600, 800, 1000, 1200, 1400, 1700, 2000);

  private final TileCoord tile;
  private final VectorTile out = new VectorTile();
  private final double across;

  private SampleTile(TileCoord tile) {
    this.tile = tile;
    this.across = Math.scalb(1.0, tile.zoom());
  }

  /** No bytes where there is nothing but deep sea. */
  static byte[] of(Archipelago archipelago, TileCoord tile) {
    var sample = new SampleTile(tile);
    sample.areas(archipelago);
    sample.lines(archipelago);
    sample.names(archipelago);
    return sample.out.bytes();
  }

  private double kmX(int x) {
    return Mercator.longitude((tile.x() + (double) x / VectorTile.EXTENT) / across) * DEGREE_KM;
  }

  private double kmY(int y) {
    return -Mercator.latitude((tile.y() + (double) y / VectorTile.EXTENT) / across) * DEGREE_KM;
  }

  private double tileX(double km) {
    return ((km / DEGREE_KM + 180) / 360 * across - tile.x()) * VectorTile.EXTENT;
  }

  private double tileY(double km) {
    double sine = Math.sin(Math.toRadians(-km / DEGREE_KM));
    double y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
    return (y * across - tile.y()) * VectorTile.EXTENT;
  }

  private Contours field(Sampled sampled) {
    int cells = tile.zoom() < ZOOM_NEAR ? CELLS_FAR : CELLS_NEAR;
    int step = VectorTile.EXTENT / cells;
    return new Contours(
        -MARGIN * step, step, cells + 1 + 2 * MARGIN, (x, y) -> sampled.at(kmX(x), kmY(y)));
  }

  private interface Sampled {
    double at(double x, double y);
  }

  private void areas(Archipelago archipelago) {
    Contours heights = field(Terrain::height);
    double fine = tile.zoom() >= 7 ? 5 : 9;
    for (int depth : DEPTHS) {
      area("depth", heights.above(depth, 14), Map.of("metres", depth));
    }
    List<int[]> land = heights.above(0, fine);
    if (land.isEmpty()) {
      return;
    }
    area("land", land, Map.of());
    if (tile.zoom() >= 6) {
      area("landcover", field(Terrain::forest).above(0, 8), Map.of("kind", "forest"));
      area(
          "landcover",
          field((x, y) -> built(archipelago, x, y)).above(0, 6),
          Map.of("kind", "urban"));
    }
    for (int metres : ELEVATIONS) {
      if (tile.zoom() >= 8 || metres % 400 == 0 || metres == 200) {
        area("relief", heights.above(metres, 9), Map.of("metres", metres));
      }
    }
    if (tile.zoom() >= 6) {
      Contours light = field((x, y) -> -Terrain.light(x, y));
      area("shade", light.above(0.035, 9), Map.of("tone", 1));
      area("shade", light.above(0.085, 9), Map.of("tone", 2));
      Contours bright = field(Terrain::light);
      area("shade", bright.above(0.045, 9), Map.of("tone", -1));
    }
  }

  private void area(String layer, List<int[]> rings, Map<String, ?> properties) {
    if (!rings.isEmpty()) {
      out.layer(layer).polygon(rings, properties);
    }
  }

  /** Streets grow around a town, more the more people live there; never on water. */
  private static double built(Archipelago archipelago, double x, double y) {
    double most = -1;
    for (Places.Town town : archipelago.places().towns()) {
      double radius = 0.9 + Math.sqrt(town.population()) / 95;
      double distance = Math.hypot(x - Grid.x(town.cell()), y - Grid.y(town.cell()));
      if (distance < 3 * radius) {
        double ragged = 0.55 * Noise.layered(x / 1.7, y / 1.7, 3, 503);
        most = Math.max(most, 1 - distance / radius + ragged);
      }
    }
    return most <= 0 ? most : Math.min(most, (Terrain.height(x, y) - 4) / 10);
  }

  private void lines(Archipelago archipelago) {
    if (tile.zoom() < 5) {
      return;
    }
    for (Rivers.River river : archipelago.rivers()) {
      if (tile.zoom() >= 7 || river.size() > 150) {
        line("river", river.xy(), Map.of("size", Math.min(5, 1 + river.size() / 120)));
      }
    }
    for (Archipelago.Way road : archipelago.roads()) {
      if (tile.zoom() >= 7 || road.kind().equals("main")) {
        line("road", road.xy(), Map.of("kind", road.kind(), "name", road.name()));
      }
    }
    for (Archipelago.Way ferry : archipelago.ferries()) {
      line("ferry", ferry.xy(), Map.of("name", ferry.name()));
    }
  }

  private void line(String layer, double[] km, Map<String, ?> properties) {
    double[] xy = new double[km.length];
    for (int i = 0; i < km.length; i += 2) {
      xy[i] = tileX(km[i]);
      xy[i + 1] = tileY(km[i + 1]);
    }
    for (int[] part : Polyline.clipped(xy, -BUFFER, VectorTile.EXTENT + BUFFER, 6)) {
      out.layer(layer).line(part, properties);
    }
  }

  private void names(Archipelago archipelago) {
    name(0, -150, -86, "sea", "Equatorial Ocean", 0);
    name(5, 46, 14, "sea", "Sound of Ronsay", 1);
    name(6, -127, -12, "sea", "Aster Strait", 1);
    for (Terrain.Island island : Terrain.ISLANDS) {
      boolean large = island.along() > 24;
      name(large ? 4 : 7, island.x(), island.y(), "island", island.name(), large ? 1 : 2);
    }
    for (Places.Town town : archipelago.places().towns()) {
      int from = town.rank() == 0 ? 3 : town.rank() == 1 ? 6 : 8;
      String kind = town.rank() == 0 ? "capital" : town.rank() == 1 ? "town" : "village";
      point(
          from,
          Grid.x(town.cell()),
          Grid.y(town.cell()),
          "place",
          Map.of(
              "kind",
              kind,
              "name",
              town.name(),
              "population",
              town.population(),
              "rank",
              town.rank()));
    }
    for (Places.Peak peak : archipelago.places().peaks()) {
      point(
          peak.metres() > 900 ? 7 : 8,
          Grid.x(peak.cell()),
          Grid.y(peak.cell()),
          "peak",
          Map.of("name", peak.name(), "metres", peak.metres()));
    }
  }

  private void name(int zoomMin, double x, double y, String kind, String name, int rank) {
    point(zoomMin, x, y, "place", Map.of("kind", kind, "name", name, "rank", rank));
  }

  /** In the one tile it lies in. */
  private void point(int zoomMin, double kmX, double kmY, String layer, Map<String, ?> properties) {
    int x = (int) Math.floor(tileX(kmX));
    int y = (int) Math.floor(tileY(kmY));
    if (tile.zoom() >= zoomMin
        && x >= 0
        && y >= 0
        && x < VectorTile.EXTENT
        && y < VectorTile.EXTENT) {
      out.layer(layer).point(x, y, properties);
    }
  }
}
