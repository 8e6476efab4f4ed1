package dev.ron.capability.caveat;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A piece of the earth between two meridians and two parallels, in ten-millionths of a degree.
 *
 * <p>Integers, so that two machines agree on which side of an edge a tile lies; the unit is that of
 * PMTiles headers, about a centimetre. A box does not cross the antimeridian: west is never greater
 * than east.
 *
 * <p>Threading: immutable.
 */
public record Box(int westE7, int southE7, int eastE7, int northE7) {
  private static final int LONGITUDE_E7_MAX = 1_800_000_000;
  private static final int LATITUDE_E7_MAX = 900_000_000;
  private static final int DECIMALS = 7;
  private static final int DEGREES_CHARS_MAX = 12;

  /** Checks order and range. */
  public Box {
    if (westE7 < -LONGITUDE_E7_MAX || westE7 > eastE7 || eastE7 > LONGITUDE_E7_MAX) {
      throw new IllegalArgumentException("longitudes must satisfy -180 <= west <= east <= 180");
    }
    if (southE7 < -LATITUDE_E7_MAX || southE7 > northE7 || northE7 > LATITUDE_E7_MAX) {
      throw new IllegalArgumentException("latitudes must satisfy -90 <= south <= north <= 90");
    }
  }

  /** Reads {@code west,south,east,north} in degrees with at most seven decimals. */
  public static Box parse(String text) {
    String[] degrees = text.split(",", 5);
    if (degrees.length != 4) {
      throw new IllegalArgumentException("a box is west,south,east,north");
    }
    return new Box(e7(degrees[0]), e7(degrees[1]), e7(degrees[2]), e7(degrees[3]));
  }

  /** The area of a tile in the web's Mercator scheme, rows counted from the north. */
  public static Box ofTile(int zoom, long x, long y) {
    if (zoom < 0 || zoom > Caveat.Zoom.ZOOM_MAX) {
      throw new IllegalArgumentException("zoom " + zoom + " is not within 0-31");
    }
    long across = 1L << zoom;
    if (x < 0 || x >= across || y < 0 || y >= across) {
      throw new IllegalArgumentException("no tile %d/%d/%d".formatted(zoom, x, y));
    }
    return new Box(
        longitudeE7(x, across),
        latitudeE7(y + 1, across),
        longitudeE7(x + 1, across),
        latitudeE7(y, across));
  }

  /** Whether {@code other} lies inside or on the edge. */
  public boolean contains(Box other) {
    return westE7 <= other.westE7
        && southE7 <= other.southE7
        && other.eastE7 <= eastE7
        && other.northE7 <= northE7;
  }

  /** The one rendering: shortest decimals, no exponent. */
  public String text() {
    return String.join(",", degrees(westE7), degrees(southE7), degrees(eastE7), degrees(northE7));
  }

  @Override
  public String toString() {
    return text();
  }

  private static int longitudeE7(long column, long across) {
    return Math.toIntExact(Math.round((column * 360.0 / across - 180.0) * 1e7));
  }

  private static int latitudeE7(long row, long across) {
    double mercator = Math.PI * (1 - 2.0 * row / across);
    return Math.toIntExact(Math.round(Math.toDegrees(Math.atan(Math.sinh(mercator))) * 1e7));
  }

  private static int e7(String degrees) {
    // BigDecimal reads exponents; a short text bounds neither them nor the work they would cause.
    if (degrees.length() > DEGREES_CHARS_MAX || !degrees.matches("-?[0-9]+(\\.[0-9]+)?")) {
      throw new IllegalArgumentException("not degrees");
    }
    try {
      return new BigDecimal(degrees)
          .movePointRight(DECIMALS)
          .setScale(0, RoundingMode.UNNECESSARY)
          .intValueExact();
    } catch (ArithmeticException tooFineOrTooLarge) {
      throw new IllegalArgumentException("not degrees", tooFineOrTooLarge);
    }
  }

  private static String degrees(int e7) {
    return BigDecimal.valueOf(e7, DECIMALS).stripTrailingZeros().toPlainString();
  }
}
