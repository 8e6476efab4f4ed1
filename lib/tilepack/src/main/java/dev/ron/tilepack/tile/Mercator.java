package dev.ron.tilepack.tile;

/**
 * The web's Mercator projection on the unit square, y from the north.
 *
 * <p>Threading: stateless.
 */
public final class Mercator {
  private Mercator() {}

  public static double longitude(double x) {
    return x * 360 - 180;
  }

  public static double latitude(double y) {
    return Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))));
  }
}
