package dev.ron.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.tilepack.Compression;
import dev.ron.tilepack.PmtilesWriter;
import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileType;

/** Small packs for tests. */
final class TestPacks {
  static final Bounds NORTH_EAST = Bounds.ofDegrees(1, 1, 170, 80);
  static final String PLAIN = "a tile, plain";

  private TestPacks() {}

  /** 0/0/0 and 1/1/0 are there, 2/2/1 is empty, the south and the west are outside. */
  static byte[] gzipped(String name) {
    return writer(name, Compression.GZIP)
        .add(new TileCoord(0, 0, 0), PmtilesWriter.gzip(PLAIN.getBytes(UTF_8)))
        .add(new TileCoord(1, 1, 0), PmtilesWriter.gzip(("one of " + name).getBytes(UTF_8)))
        .add(new TileCoord(2, 3, 1), PmtilesWriter.gzip(new byte[9 << 20]))
        .write();
  }

  /** Mebibytes that tell the packs apart at every byte. */
  static byte[] large(byte filling, int mebibytes) {
    byte[] tile = new byte[1 << 20];
    PmtilesWriter writer = writer("large " + filling, Compression.NONE);
    for (int i = 0; i < mebibytes; i++) {
      java.util.Arrays.fill(tile, filling);
      tile[0] = (byte) i;
      writer.add(new TileCoord(4, 8, i % 8), tile);
    }
    return writer.write();
  }

  private static PmtilesWriter writer(String name, Compression compression) {
    return new PmtilesWriter(
        TileType.MVT,
        compression,
        NORTH_EAST,
        """
        {"name":"%s","vector_layers":[{"id":"<b>roads</b>","fields":{"name":"String"}}]}"""
            .formatted(name));
  }
}
