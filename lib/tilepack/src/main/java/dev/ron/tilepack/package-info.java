/**
 * Map packs that need no trust: PMTiles v3 and MBTiles, read within fixed memory.
 *
 * <pre>
 * a pack of either format .................... Pack
 * opens packs ................................ Packs
 * bytes of a pack, mapped or in memory ....... PackBytes
 * what both formats tell about themselves .... PackHeader
 * names and layers, for people and styles .... PackMetadata
 * compression of tiles and directories ....... Compression
 * decompression under the decode guard ....... PackDecompression
 * a tile, none, outside, or broken ........... TileLookup
 * reads a pack from end to end ............... PackCheck
 * why a pack is refused ...................... PackFault
 * an exception that carries a pack's fault ... PackRefusal
 * a PMTiles file ............................. PmtilesPack
 * the first 127 bytes of PMTiles ............. PmtilesHeader
 * one directory, checked ..................... PmtilesDirectory
 * what entries of a directory may point at ... DirectoryBounds
 * leaf directories in memory, bounded ........ DirectoryCache
 * every directory once, in order ............. PmtilesWalk
 * an MBTiles file ............................ MbtilesPack
 * bounded queries to its database ............ MbtilesQueries
 * meaning of its metadata rows ............... MbtilesRows
 * </pre>
 */
@NullMarked
package dev.ron.tilepack;

import org.jspecify.annotations.NullMarked;
