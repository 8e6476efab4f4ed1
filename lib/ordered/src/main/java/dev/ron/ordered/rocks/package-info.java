/**
 * The ordered store on the disk: RocksDB without its log.
 *
 * <pre>
 * the store ............................ RocksOrderedStore
 * its cursor ........................... RocksCursor
 * native options and who closes them ... RocksOptions
 * loads the library once ............... RocksLibrary
 * no native call after the close ....... NativeCalls
 * the reserved row with the index ...... AppliedRow
 * what RocksDB said, as a fault ........ RocksFaults
 * </pre>
 */
@NullMarked
package dev.ron.ordered.rocks;

import org.jspecify.annotations.NullMarked;
