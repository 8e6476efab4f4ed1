package dev.ron.tilepack.tile;

/**
 * A tile's number in PMTiles: all tiles of lower zooms come first, then the Hilbert curve of its
 * own zoom.
 *
 * <p>Threading: stateless.
 */
public final class TileId {
  /** One more than the last tile of the highest zoom. */
  public static final long END = first(TileCoord.ZOOM_MAX) + (1L << (2 * TileCoord.ZOOM_MAX));

  private TileId() {}

  /** The number of the first tile of a zoom: 4^0 + 4^1 + ... */
  public static long first(int zoom) {
    return ((1L << (2 * zoom)) - 1) / 3;
  }

  public static long of(TileCoord tile) {
    long x = tile.x();
    long y = tile.y();
    long along = 0;
    for (int level = tile.zoom() - 1; level >= 0; level--) {
      long right = (x >> level) & 1;
      long down = (y >> level) & 1;
      along += ((3 * right) ^ down) << (2 * level);
      if (down == 0) {
        // The curve enters this quarter mirrored: what is left of the way is walked turned.
        long mask = (1L << level) - 1;
        long turnedX = right == 1 ? mask - (y & mask) : y & mask;
        long turnedY = right == 1 ? mask - (x & mask) : x & mask;
        x = turnedX;
        y = turnedY;
      }
    }
    return first(tile.zoom()) + along;
  }

  /** The zoom a number belongs to. */
  public static int zoom(long id) {
    if (id < 0 || id >= END) {
      throw new IllegalArgumentException("no tile has the number " + id);
    }
    // 3 * id + 1 lies within [4^zoom, 4^(zoom + 1)); above 2^61 it only fits unsigned.
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(3 * id + 1)) / 2;
  }

  public static TileCoord coord(long id) {
    int zoom = zoom(id);
    long along = id - first(zoom);
    long x = 0;
    long y = 0;
    for (int level = 0; level < zoom; level++) {
      long quarter = (along >> (2 * level)) & 3;
      long right = (quarter >> 1) & 1;
      long down = (quarter ^ right) & 1;
      if (down == 0) {
        long mask = (1L << level) - 1;
        long turnedX = right == 1 ? mask - y : y;
        long turnedY = right == 1 ? mask - x : x;
        x = turnedX;
        y = turnedY;
      }
      x |= right << level;
      y |= down << level;
    }
    return new TileCoord(zoom, (int) x, (int) y);
  }
}
