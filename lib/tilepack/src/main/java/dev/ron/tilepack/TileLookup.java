package dev.ron.tilepack;

/** What came of asking a pack for a tile. */
public sealed interface TileLookup {
  /** The tile as it is stored. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every tile
  record Found(byte[] stored, Compression compression) implements TileLookup {}

  /** Within the pack's zooms and bounds, but nothing is there. */
  record Empty() implements TileLookup {}

  /** Beyond the pack's zooms or bounds. */
  record Outside() implements TileLookup {}

  /** The pack could not be read here. */
  record Broken(PackFault fault) implements TileLookup {}
}
