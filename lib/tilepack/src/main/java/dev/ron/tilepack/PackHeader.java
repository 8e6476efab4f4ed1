package dev.ron.tilepack;

import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileType;

/**
 * What both formats tell about themselves.
 *
 * <p>Threading: immutable.
 *
 * @param addressedTiles places with a tile, 0 if the pack does not say
 * @param tileContents tiles that differ, 0 if the pack does not say
 */
public record PackHeader(
    Format format,
    TileType tileType,
    Compression tileCompression,
    int zoomMin,
    int zoomMax,
    Bounds bounds,
    Center center,
    long addressedTiles,
    long tileContents) {
  /** The container. */
  public enum Format {
    PMTILES,
    MBTILES
  }

  /** Where a map of the pack opens. */
  public record Center(int zoom, int longitudeE7, int latitudeE7) {
    static Center of(Bounds bounds, int zoom) {
      return new Center(
          zoom,
          (int) (((long) bounds.westE7() + bounds.eastE7()) / 2),
          (int) (((long) bounds.southE7() + bounds.northE7()) / 2));
    }
  }

  /** Whether a tile could be in the pack at all. */
  public boolean covers(TileCoord tile) {
    return tile.zoom() >= zoomMin && tile.zoom() <= zoomMax && bounds.touches(tile);
  }
}
