package dev.ron.tilepack.sample;

import java.util.List;

/**
 * How high the land is and how deep the sea, in metres.
 *
 * <p>Threading: stateless.
 */
final class Terrain {
  /** Half the map from west to east and from north to south. */
  static final double HALF_WIDTH_KM = 176;

  static final double HALF_HEIGHT_KM = 112;

  /** An island: where it lies, how far it reaches along and across its axis, how high it rises. */
  record Island(
      String name, double x, double y, double along, double across, double turn, double peak) {}

  static final List<Island> ISLANDS =
      List.of(
          new Island("Ronsay", -38, 6, 74, 44, -0.45, 1500),
          new Island("Halden", 66, -34, 47, 31, 0.5, 1150),
          new Island("Mirra", 92, 40, 34, 25, -0.9, 800),
          new Island("Corvane", 22, 70, 30, 20, 0.15, 620),
          new Island("Verdel", -122, -46, 27, 19, 0.7, 540),
          new Island("Aster", -112, 58, 25, 20, -0.3, 980),
          new Island("Little Halden", 124, -66, 15, 11, 0.2, 330),
          new Island("Saltholm", 12, -70, 17, 10, 0.3, 120),
          new Island("Tern Rocks", 146, 6, 9, 7, 0, 160),
          new Island("Skerry", -62, 84, 10, 6, -0.4, 90),
          new Island("Gannet", -8, -92, 6, 5, 0.5, 110),
          new Island("Lantern", -150, 8, 8, 6, 0.9, 140));

  private Terrain() {}

  /** Above the sea if positive. */
  static double height(double x, double y) {
    // Wide bays first, then the small ones that make a coast.
    double warpX = x + 12 * Noise.layered(x / 31, y / 31, 6, 11) + 2.2 * Noise.at(x / 4, y / 4, 71);
    double warpY = y + 12 * Noise.layered(x / 31, y / 31, 6, 47) + 2.2 * Noise.at(x / 4, y / 4, 83);
    double land = -9;
    double peak = 0;
    double weights = 0;
    for (Island island : ISLANDS) {
      double cos = Math.cos(island.turn);
      double sin = Math.sin(island.turn);
      double dx = warpX - island.x;
      double dy = warpY - island.y;
      double along = (dx * cos + dy * sin) / island.along;
      double across = (dy * cos - dx * sin) / island.across;
      double inward = 1 - Math.sqrt(along * along + across * across);
      land = smoothMax(land, inward);
      double weight = Math.exp(4 * inward);
      peak += weight * island.peak;
      weights += weight;
    }
    return land > 0 ? onLand(x, y, land, peak / weights) : seaFloor(x, y, land);
  }

  private static double onLand(double x, double y, double inward, double peak) {
    double crests = Noise.ridged(x / 27, y / 27, 6, 101);
    double hills = Noise.layered(x / 12, y / 12, 4, 151);
    double rise = Math.pow(inward, 1.25);
    // A coastal plain first, then mountains that take over inland.
    return 14 * Math.min(1, inward * 22) + peak * rise * (0.35 + 1.75 * crests) + 90 * rise * hills;
  }

  private static double seaFloor(double x, double y, double inward) {
    double shelf = -1400 * (1 - Math.exp(inward * 1.7));
    return shelf + 55 * Math.min(1, -inward * 5) * Noise.layered(x / 22, y / 22, 3, 211) - 0.5;
  }

  /** How bright a slope lies in light from the north-west: 0 in the plain and on the sea. */
  static double light(double x, double y) {
    if (height(x, y) < 4) {
      return 0;
    }
    double step = 0.35;
    double east = (height(x + step, y) - height(x - step, y)) / (2 * step);
    double south = (height(x, y + step) - height(x, y - step)) / (2 * step);
    double towards = (east * 0.707 + south * 0.707) / 1000;
    return towards / Math.sqrt(1 + 9 * (east * east + south * south) / 1e6);
  }

  /** Where trees grow: above 0. */
  static double forest(double x, double y) {
    double height = height(x, y);
    double patches = Noise.layered(x / 9, y / 9, 4, 307) + 0.12;
    return Math.min(patches, Math.min((height - 30) / 60, (760 - height) / 120));
  }

  private static double smoothMax(double a, double b) {
    double width = 0.12;
    double blend = Math.clamp(0.5 + 0.5 * (b - a) / width, 0, 1);
    return a + (b - a) * blend + width * blend * (1 - blend);
  }
}
