package dev.ron.tilepack.sample;

/**
 * The terrain, one height for each square kilometre.
 *
 * <p>Threading: immutable once made.
 */
final class Grid {
  static final int WIDTH = (int) (2 * Terrain.HALF_WIDTH_KM);
  static final int HEIGHT = (int) (2 * Terrain.HALF_HEIGHT_KM);
  static final int CELLS = WIDTH * HEIGHT;

  private static final int[] DX = {1, 1, 0, -1, -1, -1, 0, 1};
  private static final int[] DY = {0, 1, 1, 1, 0, -1, -1, -1};

  private final float[] heights = new float[CELLS];

  Grid() {
    for (int cell = 0; cell < CELLS; cell++) {
      heights[cell] = (float) Terrain.height(x(cell), y(cell));
    }
  }

  double height(int cell) {
    return heights[cell];
  }

  boolean isLand(int cell) {
    return heights[cell] > 0;
  }

  static double x(int cell) {
    int column = cell % WIDTH;
    return column + 0.5 - Terrain.HALF_WIDTH_KM;
  }

  static double y(int cell) {
    int row = cell / WIDTH;
    return row + 0.5 - Terrain.HALF_HEIGHT_KM;
  }

  static int cell(double x, double y) {
    int column = Math.clamp((int) (x + Terrain.HALF_WIDTH_KM), 0, WIDTH - 1);
    int row = Math.clamp((int) (y + Terrain.HALF_HEIGHT_KM), 0, HEIGHT - 1);
    return row * WIDTH + column;
  }

  /** The neighbour in one of eight directions, or -1 at the edge. */
  static int neighbour(int cell, int direction) {
    int column = cell % WIDTH + DX[direction];
    int row = cell / WIDTH + DY[direction];
    return column < 0 || row < 0 || column >= WIDTH || row >= HEIGHT ? -1 : row * WIDTH + column;
  }

  static double distance(int from, int to) {
    return Math.hypot(x(from) - x(to), y(from) - y(to));
  }

  /** Whether sea lies within so many cells. */
  boolean nearSea(int cell, int cells) {
    for (int dy = -cells; dy <= cells; dy++) {
      for (int dx = -cells; dx <= cells; dx++) {
        if (!isLand(cell(x(cell) + dx, y(cell) + dy))) {
          return true;
        }
      }
    }
    return false;
  }
}
