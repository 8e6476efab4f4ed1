package dev.ron.tilepack.tile;

/**
 * The place of a tile in the web's scheme: rows are counted from the north.
 *
 * <p>Threading: immutable.
 */
public record TileCoord(int zoom, int x, int y) {
  /** At 31 the longest Hilbert id still fits a signed long; the capability grammar stops there. */
  public static final int ZOOM_MAX = 31;

  public TileCoord {
    if (!exists(zoom, x, y)) {
      throw new IllegalArgumentException("no tile %d/%d/%d".formatted(zoom, x, y));
    }
  }

  /** Whether there is such a tile in the scheme at all. */
  public static boolean exists(int zoom, long x, long y) {
    return zoom >= 0 && zoom <= ZOOM_MAX && x >= 0 && y >= 0 && x < 1L << zoom && y < 1L << zoom;
  }

  @Override
  public String toString() {
    return zoom + "/" + x + "/" + y;
  }
}
