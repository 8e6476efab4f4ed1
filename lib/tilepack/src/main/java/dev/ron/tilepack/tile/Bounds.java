package dev.ron.tilepack.tile;

/**
 * A piece of the earth in ten-millionths of a degree, as PMTiles headers have it.
 *
 * <p>Threading: immutable.
 */
public record Bounds(int westE7, int southE7, int eastE7, int northE7) {
  static final int LONGITUDE_E7_MAX = 1_800_000_000;
  static final int LATITUDE_E7_MAX = 900_000_000;

  public static final Bounds WORLD =
      new Bounds(-LONGITUDE_E7_MAX, -LATITUDE_E7_MAX, LONGITUDE_E7_MAX, LATITUDE_E7_MAX);

  public Bounds {
    if (westE7 < -LONGITUDE_E7_MAX || westE7 > eastE7 || eastE7 > LONGITUDE_E7_MAX) {
      throw new IllegalArgumentException("longitudes must satisfy -180 <= west <= east <= 180");
    }
    if (southE7 < -LATITUDE_E7_MAX || southE7 > northE7 || northE7 > LATITUDE_E7_MAX) {
      throw new IllegalArgumentException("latitudes must satisfy -90 <= south <= north <= 90");
    }
  }

  public static Bounds ofDegrees(double west, double south, double east, double north) {
    return new Bounds(e7(west), e7(south), e7(east), e7(north));
  }

  /** Whether the tile and this have a point in common, edges included. */
  public boolean touches(TileCoord tile) {
    double across = Math.scalb(1.0, tile.zoom());
    return Mercator.longitude(tile.x() / across) * 1e7 <= eastE7
        && Mercator.longitude((tile.x() + 1) / across) * 1e7 >= westE7
        && latitudeOrPole((tile.y() + 1) / across) * 1e7 <= northE7
        && latitudeOrPole(tile.y() / across) * 1e7 >= southE7;
  }

  /** The map ends at 85 degrees; what lies beyond belongs to the tiles of its edge. */
  private static double latitudeOrPole(double y) {
    return y <= 0 ? 90 : y >= 1 ? -90 : Mercator.latitude(y);
  }

  private static int e7(double degrees) {
    return Math.toIntExact(Math.round(degrees * 1e7));
  }
}
