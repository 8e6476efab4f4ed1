package dev.ron.tilepack;

import dev.ron.tilepack.tile.TileId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * One directory of a PMTiles file: entries in the order of their tiles.
 *
 * <p>Nothing is believed: an entry that is out of order, runs into the next, is longer than a tile
 * may be, or points outside its section makes the whole directory a fault. What is left can be
 * followed without another question. Held as columns, 24 bytes for each entry.
 *
 * <p>Threading: immutable.
 */
final class PmtilesDirectory {
  static final int ENTRY_BYTES = 24;

  /** Four columns, each at least a byte: with {@link #DECODED_BYTES_MAX} at most 512 Ki entries. */
  private static final int ENCODED_ENTRY_BYTES_MIN = 4;

  /** At most 12 MiB of columns, so that three levels fit the smallest heap. */
  static final int DECODED_BYTES_MAX = 2 << 20;

  /** A tile that is larger is no tile; also what the decode guard lets a tile become. */
  static final int TILE_BYTES_MAX = 10 << 20;

  private final long[] ids;
  private final long[] offsets;
  private final int[] lengths;

  /** 0 for a leaf directory. */
  private final int[] runs;

  private PmtilesDirectory(int count) {
    ids = new long[count];
    offsets = new long[count];
    lengths = new int[count];
    runs = new int[count];
  }

  static PmtilesDirectory parse(byte[] plain, DirectoryBounds bounds) throws PackRefusal {
    ByteBuffer in = ByteBuffer.wrap(plain);
    try {
      long count = varint(in);
      if (count < 1 || count > in.remaining() / ENCODED_ENTRY_BYTES_MIN) {
        throw PackRefusal.directory(
            "%s entries in %d bytes".formatted(Long.toUnsignedString(count), in.remaining()));
      }
      var directory = new PmtilesDirectory((int) count);
      directory.readIds(in);
      directory.readRuns(in);
      directory.readLengths(in);
      directory.readOffsets(in);
      if (in.hasRemaining()) {
        throw PackRefusal.directory(in.remaining() + " bytes behind the last entry");
      }
      directory.check(bounds);
      return directory;
    } catch (BufferUnderflowException _) {
      throw PackRefusal.directory("cut short");
    }
  }

  private void readIds(ByteBuffer in) throws PackRefusal {
    long id = 0;
    for (int i = 0; i < ids.length; i++) {
      long delta = varint(in);
      if (delta < 0 || delta > TileId.END - id || (i > 0 && delta == 0)) {
        throw PackRefusal.directory("entry %d does not come after the one before".formatted(i));
      }
      id += delta;
      ids[i] = id;
    }
  }

  private void readRuns(ByteBuffer in) throws PackRefusal {
    for (int i = 0; i < runs.length; i++) {
      runs[i] = small(in, Integer.MAX_VALUE, "run length");
    }
  }

  private void readLengths(ByteBuffer in) throws PackRefusal {
    for (int i = 0; i < lengths.length; i++) {
      int max = runs[i] == 0 ? PmtilesHeader.DIRECTORY_BYTES_MAX : TILE_BYTES_MAX;
      lengths[i] = small(in, max, "length");
      if (lengths[i] == 0) {
        throw PackRefusal.directory("entry %d has no bytes".formatted(i));
      }
    }
  }

  private void readOffsets(ByteBuffer in) throws PackRefusal {
    for (int i = 0; i < offsets.length; i++) {
      long coded = varint(in);
      if (coded < 0 || (coded == 0 && i == 0)) {
        throw PackRefusal.directory("entry %d has no offset".formatted(i));
      }
      offsets[i] = coded == 0 ? offsets[i - 1] + lengths[i - 1] : coded - 1;
    }
  }

  private void check(DirectoryBounds bounds) throws PackRefusal {
    if (ids[0] < bounds.firstId()) {
      throw PackRefusal.directory("speaks of tiles before its own first, " + bounds.firstId());
    }
    for (int i = 0; i < ids.length; i++) {
      long end = i + 1 < ids.length ? ids[i + 1] : bounds.endId();
      if (ids[i] >= end || runs[i] > end - ids[i]) {
        throw PackRefusal.directory(
            "entry %d, %d tiles from %d, runs into what comes next".formatted(i, runs[i], ids[i]));
      }
      long section = runs[i] == 0 ? bounds.leafBytes() : bounds.tileBytes();
      if (offsets[i] < 0 || offsets[i] > section || lengths[i] > section - offsets[i]) {
        throw PackRefusal.directory(
            "entry %d reaches past the end of its section, %d bytes".formatted(i, section));
      }
      if (i > 0 && (runs[i] == 0) == (runs[i - 1] == 0)) {
        apart(i);
      }
    }
  }

  /** Neighbours share all of their bytes or none. */
  private void apart(int i) throws PackRefusal {
    boolean same = offsets[i] == offsets[i - 1] && lengths[i] == lengths[i - 1];
    boolean overlap =
        offsets[i] < offsets[i - 1] + lengths[i - 1] && offsets[i - 1] < offsets[i] + lengths[i];
    if (overlap && !same) {
      throw PackRefusal.directory("entry %d overlaps the bytes of the one before".formatted(i));
    }
  }

  private static int small(ByteBuffer in, int max, String what) throws PackRefusal {
    long value = varint(in);
    if (value < 0 || value > max) {
      throw PackRefusal.directory(
          "a %s of %s, at most %d".formatted(what, Long.toUnsignedString(value), max));
    }
    return (int) value;
  }

  /** Negative if it needs the 64th bit; nothing here may. */
  private static long varint(ByteBuffer in) throws PackRefusal {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      if (shift == 63 && next > 1) {
        break;
      }
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw PackRefusal.directory("a number of more than 64 bits");
  }

  int count() {
    return ids.length;
  }

  long weightBytes() {
    return 64L + (long) ENTRY_BYTES * ids.length;
  }

  /** The entry that covers a tile, or -1. */
  int find(long id) {
    int low = 0;
    int high = ids.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (ids[middle] <= id) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high >= 0 && (runs[high] == 0 || id - ids[high] < runs[high]) ? high : -1;
  }

  boolean isLeaf(int entry) {
    return runs[entry] == 0;
  }

  long id(int entry) {
    return ids[entry];
  }

  int run(int entry) {
    return runs[entry];
  }

  long offset(int entry) {
    return offsets[entry];
  }

  int length(int entry) {
    return lengths[entry];
  }

  /** One more than the last tile an entry can speak of. */
  long endId(int entry, DirectoryBounds bounds) {
    return entry + 1 < ids.length ? ids[entry + 1] : bounds.endId();
  }
}
