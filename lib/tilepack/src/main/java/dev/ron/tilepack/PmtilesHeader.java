package dev.ron.tilepack;

import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import dev.ron.tilepack.tile.TileType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The first 127 bytes of a PMTiles v3 file, checked: every section lies within the file and no two
 * overlap, so that no later reader has to ask again.
 *
 * <p>Threading: immutable.
 */
record PmtilesHeader(
    Section root,
    Section metadata,
    Section leaves,
    Section tiles,
    long addressedTiles,
    long tileEntries,
    long tileContents,
    boolean clustered,
    Compression internalCompression,
    Compression tileCompression,
    TileType tileType,
    int zoomMin,
    int zoomMax,
    Bounds bounds,
    PackHeader.Center center) {
  static final int BYTES = 127;
  static final byte[] MAGIC = "PMTiles".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 3;

  /** A directory in the file; a planet's leaf has about 100,000 entries and half of this. */
  static final int DIRECTORY_BYTES_MAX = 1 << 20;

  static final int METADATA_BYTES_MAX = 1 << 20;

  /** A part of the file. */
  record Section(long offset, long length) {
    long end() {
      return offset + length;
    }
  }

  /**
   * @param first the first bytes of the file, 127 unless the file is shorter
   */
  static PmtilesHeader parse(byte[] first, long fileBytes) throws PackRefusal {
    if (first.length < MAGIC.length
        || !Arrays.equals(first, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new PackRefusal(new PackFault.Unknown("the file does not begin with PMTiles"));
    }
    if (first.length > MAGIC.length && first[MAGIC.length] != VERSION) {
      throw new PackRefusal(
          new PackFault.Unknown(
              "PMTiles version %d; only 3 is read".formatted(first[MAGIC.length] & 0xff)));
    }
    if (first.length < BYTES) {
      throw PackRefusal.header(
          "length", "is %d bytes, a header has %d".formatted(first.length, BYTES));
    }
    ByteBuffer in = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN);
    Section root = section(in, 8, "root_directory", fileBytes, DIRECTORY_BYTES_MAX);
    Section metadata = section(in, 24, "metadata", fileBytes, METADATA_BYTES_MAX);
    Section leaves = section(in, 40, "leaf_directories", fileBytes, Long.MAX_VALUE);
    Section tiles = section(in, 56, "tile_data", fileBytes, Long.MAX_VALUE);
    if (root.length() == 0) {
      throw PackRefusal.header("root_directory", "is empty");
    }
    apart(List.of(root, metadata, leaves, tiles));
    int zoomMin = in.get(100) & 0xff;
    int zoomMax = in.get(101) & 0xff;
    if (zoomMin > zoomMax || zoomMax > TileCoord.ZOOM_MAX) {
      throw PackRefusal.header(
          "zoom", "is %d to %d, not within 0 to 31".formatted(zoomMin, zoomMax));
    }
    Bounds bounds = bounds(in);
    return new PmtilesHeader(
        root,
        metadata,
        leaves,
        tiles,
        count(in, 72, "addressed_tiles"),
        count(in, 80, "tile_entries"),
        count(in, 88, "tile_contents"),
        in.get(96) == 1,
        known(Compression.values(), Compression::number, in.get(97), "internal_compression"),
        known(Compression.values(), Compression::number, in.get(98), "tile_compression"),
        known(TileType.values(), TileType::number, in.get(99), "tile_type"),
        zoomMin,
        zoomMax,
        bounds,
        center(in, bounds, zoomMin, zoomMax));
  }

  private static Section section(
      ByteBuffer in, int at, String field, long fileBytes, long lengthMax) throws PackRefusal {
    long offset = in.getLong(at);
    long length = in.getLong(at + 8);
    if (length == 0) {
      return new Section(0, 0);
    }
    if (offset < BYTES || length < 0 || offset > fileBytes || length > fileBytes - offset) {
      throw PackRefusal.header(
          field,
          "reaches from %s over %s bytes, the file has %d"
              .formatted(Long.toUnsignedString(offset), Long.toUnsignedString(length), fileBytes));
    }
    if (length > lengthMax) {
      throw PackRefusal.header(
          field, "has %d bytes, at most %d are read".formatted(length, lengthMax));
    }
    return new Section(offset, length);
  }

  private static void apart(List<Section> sections) throws PackRefusal {
    List<Section> inOrder =
        sections.stream()
            .filter(section -> section.length() > 0)
            .sorted(Comparator.comparingLong(Section::offset))
            .toList();
    for (int i = 1; i < inOrder.size(); i++) {
      if (inOrder.get(i - 1).end() > inOrder.get(i).offset()) {
        throw PackRefusal.header(
            "offset", "%d lies within another section".formatted(inOrder.get(i).offset()));
      }
    }
  }

  private static long count(ByteBuffer in, int at, String field) throws PackRefusal {
    long count = in.getLong(at);
    if (count < 0 || count > TileId.END) {
      throw PackRefusal.header(
          field, "is %s, more tiles than there are".formatted(Long.toUnsignedString(count)));
    }
    return count;
  }

  private static <T> T known(T[] values, ToIntFunction<T> number, byte said, String field)
      throws PackRefusal {
    for (T value : values) {
      if (number.applyAsInt(value) == said) {
        return value;
      }
    }
    throw PackRefusal.header(field, "is %d, which nobody knows".formatted(said & 0xff));
  }

  private static Bounds bounds(ByteBuffer in) throws PackRefusal {
    try {
      return new Bounds(in.getInt(102), in.getInt(106), in.getInt(110), in.getInt(114));
    } catch (IllegalArgumentException outside) {
      throw PackRefusal.header("bounds", "are not on the earth: " + outside.getMessage());
    }
  }

  /** Only a hint where to look first, so a strange one is brought inside rather than refused. */
  private static PackHeader.Center center(ByteBuffer in, Bounds bounds, int zoomMin, int zoomMax) {
    return new PackHeader.Center(
        Math.clamp(in.get(118) & 0xff, zoomMin, zoomMax),
        Math.clamp(in.getInt(119), bounds.westE7(), bounds.eastE7()),
        Math.clamp(in.getInt(123), bounds.southE7(), bounds.northE7()));
  }

  PackHeader summary() {
    return new PackHeader(
        PackHeader.Format.PMTILES,
        tileType,
        tileCompression,
        zoomMin,
        zoomMax,
        bounds,
        center,
        addressedTiles,
        tileContents);
  }
}
