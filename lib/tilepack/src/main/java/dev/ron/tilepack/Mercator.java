package dev.ron.tilepack;

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

  public static double x(double longitude) {
    return (longitude + 180) / 360;
  }

  public static double y(double latitude) {
    double sine = Math.sin(Math.toRadians(latitude));
    return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  }
}
