package dev.ron.tilepack;

import dev.ron.tilepack.tile.TileCoord;

/**
 * A set of tiles in one file, as it was when it was opened.
 *
 * <p>Threading: thread-safe; {@link #close} only when no reader is left.
 */
public sealed interface Pack extends AutoCloseable permits PmtilesPack, MbtilesPack {
  PackHeader header();

  PackMetadata metadata();

  /** May wait for the disk. */
  TileLookup tile(TileCoord place);

  /** The file itself, byte for byte. */
  PackBytes bytes();

  /** A check of everything in it, in steps. */
  PackCheck check();

  @Override
  void close();
}
