/**
 * Map packs that nobody has to trust: PMTiles v3 and MBTiles, read within fixed memory.
 *
 * <pre>
 * Pack             either format: what it holds, and a tile by its place
 * Packs            opens a file, in memory or mapped      PackFault        why it is refused
 * PmtilesPack      PMTiles: header, directories, tiles    MbtilesPack      MBTiles, through SQLite
 * PmtilesHeader    the first 127 bytes                    Directory        one directory, checked
 * DirectoryCache   leaf directories at hand, bounded      DirectoryBounds  what entries may point at
 * TileCoord        zoom, column, row                      TileId           its place on the Hilbert curve
 * PackHeader       what both formats tell                 PackMetadata     names and layers, for people
 * TileLookup       a tile, none, outside, or broken       Unpacking        compression off, under guard
 * PackCheck        reads a pack from end to end           PmtilesWalk      every directory once
 * </pre>
 *
 * Nothing here writes a pack; the writers are tools of the tests and of the sample map, which is in
 * {@code dev.ron.tilepack.sample}.
 */
@NullMarked
package dev.ron.tilepack;

import org.jspecify.annotations.NullMarked;
