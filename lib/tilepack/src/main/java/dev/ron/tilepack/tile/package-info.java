/**
 * Tiles themselves, whatever file they are in: place, number, type, extent, and the vector tile
 * format.
 *
 * <pre>
 * zoom, column and row ............. TileCoord
 * number on the Hilbert curve ...... TileId
 * vector or image, and which ....... TileType
 * an area of the earth ............. Bounds
 * web Mercator projection .......... Mercator
 * writes variable-length numbers ... Varints
 * </pre>
 */
@NullMarked
package dev.ron.tilepack.tile;

import org.jspecify.annotations.NullMarked;
