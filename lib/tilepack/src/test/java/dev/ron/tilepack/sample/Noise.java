package dev.ron.tilepack.sample;

/**
 * Smooth chance on the plane, about -1 to 1, the same for the same place and seed on every machine.
 *
 * <p>Threading: stateless.
 */
final class Noise {
  private static final double LACUNARITY = 2.03;
  private static final double GAIN = 0.5;

  private Noise() {}

  /** Gradient noise: zero on whole numbers, hills and valleys between. */
  static double at(double x, double y, int seed) {
    int left = (int) Math.floor(x);
    int top = (int) Math.floor(y);
    double dx = x - left;
    double dy = y - top;
    double across = fade(dx);
    double upper =
        mix(slope(left, top, dx, dy, seed), slope(left + 1, top, dx - 1, dy, seed), across);
    double lower =
        mix(
            slope(left, top + 1, dx, dy - 1, seed),
            slope(left + 1, top + 1, dx - 1, dy - 1, seed),
            across);
    return 1.5 * mix(upper, lower, fade(dy));
  }

  /** Ever finer noise on top of each other. */
  static double layered(double x, double y, int octaves, int seed) {
    double sum = 0;
    double weight = 1;
    double frequency = 1;
    for (int i = 0; i < octaves; i++) {
      sum += weight * at(x * frequency, y * frequency, seed + i);
      frequency *= LACUNARITY;
      weight *= GAIN;
    }
    return sum;
  }

  /** Sharp crests, as where two valleys meet; 0 to about 1. */
  static double ridged(double x, double y, int octaves, int seed) {
    double sum = 0;
    double weight = 0.5;
    double frequency = 1;
    double carried = 1;
    for (int i = 0; i < octaves; i++) {
      double crest = 1 - Math.abs(at(x * frequency, y * frequency, seed + i));
      crest *= crest;
      sum += crest * weight * carried;
      // Detail belongs to the crests; valleys stay smooth.
      carried = Math.clamp(crest * 1.4, 0, 1);
      frequency *= LACUNARITY;
      weight *= GAIN;
    }
    return sum;
  }

  private static double slope(int column, int row, double dx, double dy, int seed) {
    int hash = column * 0x27d4eb2d + row * 0x165667b1 + seed * 0x9e3779b1;
    hash = (hash ^ (hash >>> 15)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    hash ^= hash >>> 16;
    double turn = (hash >>> 8) * (2 * Math.PI / (1 << 24));
    return Math.cos(turn) * dx + Math.sin(turn) * dy;
  }

  private static double fade(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
  }

  private static double mix(double a, double b, double share) {
    return a + (b - a) * share;
  }
}
