package dev.ron.tilepack;

import dev.ron.decode.DecodeLimits;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A PMTiles v3 file.
 *
 * <p>Opening reads the header, the metadata and the root directory. A tile is found by at most
 * {@link #DEPTH_MAX} directories; each must speak of nothing outside what its parent gave it, so a
 * leaf that names itself or an ancestor can only be followed until the depth ends.
 *
 * <p>Threading: immutable; thread-safe.
 */
public final class PmtilesPack implements Pack {
  /** The root and two levels of leaves; writers make one, and a planet needs no second. */
  static final int DEPTH_MAX = 3;

  /**
   * Directories of one country's sea compress a hundredfold, so the ratio says nothing here; what a
   * directory may become is bounded by itself.
   */
  private static final DecodeLimits DIRECTORY_LIMITS =
      new DecodeLimits(
          PmtilesDirectory.DECODED_BYTES_MAX, 10_000, DecodeLimits.WINDOW_BYTES_DEFAULT);

  private static final DecodeLimits METADATA_LIMITS =
      new DecodeLimits(PmtilesHeader.METADATA_BYTES_MAX, 10_000, DecodeLimits.WINDOW_BYTES_DEFAULT);

  private final PackBytes bytes;
  private final PmtilesHeader header;
  private final PackHeader summary;
  private final PackMetadata metadata;
  private final DirectoryBounds rootBounds;
  private final PmtilesDirectory root;
  private final DirectoryCache cache;

  private PmtilesPack(
      PackBytes bytes,
      PmtilesHeader header,
      PackMetadata metadata,
      DirectoryBounds rootBounds,
      PmtilesDirectory root,
      DirectoryCache cache) {
    this.bytes = bytes;
    this.header = header;
    this.summary = header.summary();
    this.metadata = metadata;
    this.rootBounds = rootBounds;
    this.root = root;
    this.cache = cache;
  }

  static PmtilesPack open(PackBytes bytes, DirectoryCache cache) throws PackRefusal, IOException {
    byte[] first = bytes.read(0, (int) Math.min(bytes.size(), PmtilesHeader.BYTES));
    PmtilesHeader header = PmtilesHeader.parse(first, bytes.size());
    var rootBounds =
        new DirectoryBounds(0, TileId.END, header.leaves().length(), header.tiles().length());
    PmtilesDirectory root = directory(bytes, header, header.root(), rootBounds);
    PackMetadata metadata = PackMetadata.NONE;
    if (header.metadata().length() > 0) {
      byte[] stored = bytes.read(header.metadata().offset(), (int) header.metadata().length());
      metadata =
          PackMetadata.parse(
              PackDecompression.unpackOrRefuse(
                  header.internalCompression(), stored, METADATA_LIMITS, "metadata"));
    }
    return new PmtilesPack(bytes, header, metadata, rootBounds, root, cache);
  }

  private static PmtilesDirectory directory(
      PackBytes bytes, PmtilesHeader header, PmtilesHeader.Section at, DirectoryBounds bounds)
      throws PackRefusal, IOException {
    byte[] stored = bytes.read(at.offset(), (int) at.length());
    byte[] plain =
        PackDecompression.unpackOrRefuse(
            header.internalCompression(), stored, DIRECTORY_LIMITS, "a directory");
    return PmtilesDirectory.parse(plain, bounds);
  }

  /** Reads the leaf that an entry names; not from the cache. */
  PmtilesDirectory leaf(PmtilesDirectory parent, int entry, DirectoryBounds bounds)
      throws PackRefusal, IOException {
    var at =
        new PmtilesHeader.Section(
            header.leaves().offset() + parent.offset(entry), parent.length(entry));
    return directory(bytes, header, at, bounds);
  }

  /** What the leaf of an entry may speak of. */
  static DirectoryBounds leafBounds(PmtilesDirectory parent, int entry, DirectoryBounds bounds) {
    return bounds.within(parent.id(entry), parent.endId(entry, bounds));
  }

  static PackRefusal tooDeep() {
    return PackRefusal.directory(
        "leaf directories go deeper than %d levels, or round in a circle".formatted(DEPTH_MAX));
  }

  PmtilesDirectory root() {
    return root;
  }

  DirectoryBounds rootBounds() {
    return rootBounds;
  }

  PmtilesHeader pmtilesHeader() {
    return header;
  }

  @Override
  public PackHeader header() {
    return summary;
  }

  @Override
  public PackMetadata metadata() {
    return metadata;
  }

  @Override
  public TileLookup tile(TileCoord place) {
    if (place.zoom() < header.zoomMin() || place.zoom() > header.zoomMax()) {
      return new TileLookup.Outside();
    }
    try {
      byte @Nullable [] stored = stored(TileId.of(place));
      if (stored != null) {
        return new TileLookup.Found(stored, header.tileCompression());
      }
      return summary.covers(place) ? new TileLookup.Empty() : new TileLookup.Outside();
    } catch (PackRefusal refused) {
      return new TileLookup.Broken(refused.fault());
    } catch (IOException failure) {
      return new TileLookup.Broken(new PackFault.Unreadable(String.valueOf(failure.getMessage())));
    }
  }

  private byte @Nullable [] stored(long id) throws PackRefusal, IOException {
    PmtilesDirectory directory = root;
    DirectoryBounds bounds = rootBounds;
    for (int depth = 1; ; depth++) {
      int entry = directory.find(id);
      if (entry < 0) {
        return null;
      }
      long offset = directory.offset(entry);
      int length = directory.length(entry);
      if (!directory.isLeaf(entry)) {
        return bytes.read(header.tiles().offset() + offset, length);
      }
      if (depth == DEPTH_MAX) {
        throw tooDeep();
      }
      bounds = leafBounds(directory, entry, bounds);
      PmtilesDirectory leaf = cache.find(this, bounds.firstId(), offset);
      if (leaf == null) {
        leaf = leaf(directory, entry, bounds);
        cache.put(this, bounds.firstId(), offset, leaf);
      }
      directory = leaf;
    }
  }

  @Override
  public PackBytes bytes() {
    return bytes;
  }

  @Override
  public PackCheck check() {
    return new PackCheck(bytes, new PmtilesWalk(this));
  }

  @Override
  public void close() {
    bytes.close();
  }
}
