package dev.ron.tilepack;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import dev.ron.tilepack.tile.TileType;
import dev.ron.tilepack.tile.Varints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a clustered PMTiles v3 file of tiles that fit in memory.
 *
 * <p>Equal tiles are stored once, and neighbours on the curve that are equal become one entry. The
 * same tiles give the same bytes, in whatever order they were added.
 *
 * <p>Threading: owned by one thread.
 */
public final class PmtilesWriter {
  /** Readers fetch this much first and expect the root directory in it. */
  private static final int FIRST_FETCH_BYTES = 16 * 1024;

  private static final int LEAF_ENTRIES_MIN = 4096;

  private final TileType type;
  private final Compression tileCompression;
  private final Bounds bounds;
  private final String metadata;
  private final TreeMap<Long, byte[]> tiles = new TreeMap<>();

  /** A run of equal tiles. */
  private record Entry(long id, int run, long offset, int length) {}

  /** How directories are written; anything but the usual is for tests of readers. */
  record Layout(
      Compression internal, UnaryOperator<byte[]> pack, int leafEntries, boolean leavesAlways) {
    static final Layout USUAL =
        new Layout(Compression.GZIP, PmtilesWriter::gzip, LEAF_ENTRIES_MIN, false);
  }

  /**
   * @param metadata a JSON object
   */
  public PmtilesWriter(TileType type, Compression tileCompression, Bounds bounds, String metadata) {
    this.type = type;
    this.tileCompression = tileCompression;
    this.bounds = bounds;
    this.metadata = metadata;
  }

  /** Adds a tile in the form it is stored; a tile of no bytes is left out. */
  public PmtilesWriter add(TileCoord place, byte[] stored) {
    if (stored.length > 0) {
      tiles.put(TileId.of(place), stored.clone());
    }
    return this;
  }

  public byte[] write() {
    return write(Layout.USUAL);
  }

  byte[] write(Layout layout) {
    if (tiles.isEmpty()) {
      throw new IllegalStateException("a pack has at least one tile");
    }
    var data = new ByteArrayOutputStream();
    Map<Hash, Long> offsets = new HashMap<>();
    List<Entry> entries = entries(data, offsets);
    var leaves = new ByteArrayOutputStream();
    byte[] root = layout.pack().apply(directory(entries));
    for (int size = layout.leafEntries();
        root.length > FIRST_FETCH_BYTES - PmtilesHeader.BYTES
            || (layout.leavesAlways() && leaves.size() == 0);
        size *= 2) {
      leaves.reset();
      root = layout.pack().apply(directory(leaves(entries, size, layout, leaves)));
    }
    byte[] said = layout.pack().apply(metadata.getBytes(StandardCharsets.UTF_8));
    return assembled(
        layout,
        entries,
        offsets.size(),
        List.of(root, said, leaves.toByteArray(), data.toByteArray()));
  }

  private List<Entry> entries(ByteArrayOutputStream data, Map<Hash, Long> offsets) {
    var entries = new ArrayList<Entry>();
    for (Map.Entry<Long, byte[]> tile : tiles.entrySet()) {
      byte[] stored = tile.getValue();
      Hash hash = Blake3.hash(stored);
      Long known = offsets.putIfAbsent(hash, (long) data.size());
      long offset = known == null ? data.size() : known;
      if (known == null) {
        data.writeBytes(stored);
      }
      Entry last = entries.isEmpty() ? null : entries.getLast();
      if (last != null && last.offset == offset && last.id + last.run == tile.getKey()) {
        entries.removeLast();
        entries.add(new Entry(last.id, last.run + 1, offset, stored.length));
      } else {
        entries.add(new Entry(tile.getKey(), 1, offset, stored.length));
      }
    }
    return entries;
  }

  /** Writes the leaves and answers the entries of the root. */
  private static List<Entry> leaves(
      List<Entry> entries, int size, Layout layout, ByteArrayOutputStream leaves) {
    var root = new ArrayList<Entry>();
    for (int from = 0; from < entries.size(); from += size) {
      List<Entry> part = entries.subList(from, Math.min(entries.size(), from + size));
      byte[] leaf = layout.pack().apply(directory(part));
      root.add(new Entry(part.getFirst().id, 0, leaves.size(), leaf.length));
      leaves.writeBytes(leaf);
    }
    return root;
  }

  private static byte[] directory(List<Entry> entries) {
    var out = new Varints();
    out.put(entries.size());
    long id = 0;
    for (Entry entry : entries) {
      out.put(entry.id - id);
      id = entry.id;
    }
    entries.forEach(entry -> out.put(entry.run));
    entries.forEach(entry -> out.put(entry.length));
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Entry before = i == 0 ? null : entries.get(i - 1);
      boolean follows = before != null && entry.offset == before.offset + before.length;
      out.put(follows ? 0 : entry.offset + 1);
    }
    return out.bytes();
  }

  private byte[] assembled(
      Layout layout, List<Entry> entries, int contents, List<byte[]> sections) {
    ByteBuffer header =
        ByteBuffer.allocate(PmtilesHeader.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(PmtilesHeader.MAGIC)
            .put((byte) PmtilesHeader.VERSION);
    long at = PmtilesHeader.BYTES;
    for (byte[] section : sections) {
      header.putLong(at).putLong(section.length);
      at += section.length;
    }
    int zoomMin = TileId.zoom(tiles.firstKey());
    int zoomMax = TileId.zoom(tiles.lastKey());
    PackHeader.Center center = PackHeader.Center.of(bounds, Math.min(zoomMin + 1, zoomMax));
    header
        .putLong(tiles.size())
        .putLong(entries.size())
        .putLong(contents)
        .put((byte) 1)
        .put((byte) layout.internal().number())
        .put((byte) tileCompression.number())
        .put((byte) type.number())
        .put((byte) zoomMin)
        .put((byte) zoomMax)
        .putInt(bounds.westE7())
        .putInt(bounds.southE7())
        .putInt(bounds.eastE7())
        .putInt(bounds.northE7())
        .put((byte) center.zoom())
        .putInt(center.longitudeE7())
        .putInt(center.latitudeE7());
    var out = new ByteArrayOutputStream(Math.toIntExact(at));
    out.writeBytes(header.array());
    sections.forEach(out::writeBytes);
    return out.toByteArray();
  }

  /** Without name or time, so that the same bytes give the same bytes. */
  public static byte[] gzip(byte[] plain) {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }
}
