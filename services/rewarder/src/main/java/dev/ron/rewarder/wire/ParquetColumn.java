package dev.ron.rewarder.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.ron.kernel.disk.DiskFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * One column of a row group, decoded: each row has the number of a value.
 *
 * <p>A dictionary's values come first; values that were not in it are numbered behind it. So
 * whoever looks at rows does the work for a value once, however often it comes.
 *
 * <p>Threading: owned by the worker that reads the group.
 */
final class ParquetColumn {
  private static final int PAGE_BYTES_MAX = 256 << 20;

  private final ParquetFooter.Chunk chunk;

  /** For each row the number of its value. */
  final int[] rows;

  /** For each value where its bytes are, for text; or its bits, for numbers. */
  byte[][] buffers = new byte[64][];

  int[] froms = new int[64];
  int[] lengths = new int[64];
  long[] highs = new long[64];
  long[] lows = new long[64];
  int values;

  private int dictionarySize;
  private int next;

  private ParquetColumn(ParquetFooter.Chunk chunk) {
    this.chunk = chunk;
    this.rows = new int[chunk.values()];
  }

  static ParquetColumn read(DiskFile file, ParquetFooter.Chunk chunk) throws IOException {
    var column = new ParquetColumn(chunk);
    byte[] bytes = ParquetFooter.bytes(file, chunk.offset(), chunk.bytes());
    int at = 0;
    while (column.next < column.rows.length) {
      var reader = new ThriftStruct.Reader(bytes, at, bytes.length);
      ThriftStruct header = reader.struct();
      int size = header.count(3, PAGE_BYTES_MAX);
      int from = reader.position();
      if (size > bytes.length - from) {
        throw broken("a page outside of its column");
      }
      column.page(header, bytes, from, from + size);
      at = from + size;
    }
    return column;
  }

  boolean isText() {
    return chunk.column().type() == ParquetFooter.Type.BYTE_ARRAY;
  }

  private void page(ThriftStruct header, byte[] bytes, int from, int to) throws IOException {
    int plainSize = header.count(2, PAGE_BYTES_MAX);
    switch ((int) header.number(1, -1)) {
      case 0 -> {
        ThriftStruct data = header.struct(5);
        byte[] plain = plain(bytes, from, to, plainSize);
        int count = data.count(1, rows.length - (long) next);
        int at = chunk.column().optional() ? levels(plain, count) : 0;
        values(data.number(2, -1), plain, at, count);
      }
      case 2 -> {
        byte[] plain = plain(bytes, from, to, plainSize);
        plainValues(plain, 0, header.struct(7).count(1, PAGE_BYTES_MAX));
        dictionarySize = values;
      }
      case 3 -> pageV2(header.struct(8), bytes, from, to, plainSize);
      default -> {
        // An index page: not needed.
      }
    }
  }

  /** Levels stand before the values and are never compressed. */
  private void pageV2(ThriftStruct data, byte[] bytes, int from, int to, int plainSize)
      throws IOException {
    int count = data.count(1, rows.length - (long) next);
    int levels = data.count(5, to - from) + data.count(6, to - from);
    if (data.number(2, 0) != 0 || levels > to - from) {
      throw broken("a null, or levels that are too long");
    }
    byte[] plain =
        data.number(7, 1) == 0
            ? Arrays.copyOfRange(bytes, from + levels, to)
            : plain(bytes, from + levels, to, plainSize - levels);
    values(data.number(4, -1), plain, 0, count);
  }

  /** Checks that nothing is null; answers where the values begin. */
  private static int levels(byte[] plain, int count) throws Refused {
    int length = intAt(plain, 0);
    if (length < 0 || length > plain.length - 4) {
      throw broken("levels that are too long");
    }
    int[] levels = new int[count];
    RunLengths.read(plain, 4, 4 + length, 1, levels, 0, count);
    for (int level : levels) {
      if (level == 0) {
        throw broken("a null in actor, metric or units");
      }
    }
    return 4 + length;
  }

  private byte[] plain(byte[] bytes, int from, int to, int size) throws IOException {
    if (size < 0) {
      throw broken("a page of negative size");
    }
    return switch (chunk.codec()) {
      case 0 -> Arrays.copyOfRange(bytes, from, to);
      case 1 -> Snappy.decode(bytes, from, to, size);
      case 2 -> {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes, from, to - from))) {
          byte[] all = gzip.readNBytes(size);
          if (all.length != size) {
            throw broken("damaged gzip");
          }
          yield all;
        } catch (java.util.zip.ZipException damaged) {
          throw broken("damaged gzip");
        }
      }
      case 6 -> {
        try {
          yield Zstd.decompress(Arrays.copyOfRange(bytes, from, to), size);
        } catch (ZstdException damaged) {
          throw broken("damaged zstd");
        }
      }
      default -> throw broken("a codec that is not none, snappy, gzip or zstd");
    };
  }

  private void values(long encoding, byte[] plain, int at, int count) throws Refused {
    switch ((int) encoding) {
      case 0 -> {
        int first = values;
        plainValues(plain, at, count);
        for (int i = 0; i < count; i++) {
          rows[next + i] = first + i;
        }
      }
      case 2, 8 -> {
        if (at >= plain.length) {
          throw broken("a page without its width");
        }
        RunLengths.read(plain, at + 1, plain.length, plain[at] & 0xff, rows, next, count);
        for (int i = next; i < next + count; i++) {
          if (rows[i] < 0 || rows[i] >= dictionarySize) {
            throw broken("an index past the dictionary");
          }
        }
      }
      default ->
          throw broken(
              "an encoding that is neither plain nor a dictionary; write it with version 1 pages");
    }
    next += count;
  }

  private void plainValues(byte[] plain, int from, int count) throws Refused {
    grow(count, plain.length - from);
    int at = from;
    for (int i = 0; i < count; i++) {
      at = isText() ? textValue(plain, at) : numberValue(plain, at);
    }
  }

  private int textValue(byte[] plain, int at) throws Refused {
    int length = intAt(plain, at);
    if (length < 0 || length > plain.length - at - 4) {
      throw broken("a text longer than its page");
    }
    buffers[values] = plain;
    froms[values] = at + 4;
    lengths[values] = length;
    values++;
    return at + 4 + length;
  }

  private int numberValue(byte[] plain, int at) throws Refused {
    ParquetFooter.Column column = chunk.column();
    int length =
        switch (column.type()) {
          case INT32 -> 4;
          case INT64 -> 8;
          case FIXED_LEN_BYTE_ARRAY -> column.length();
          case BOOLEAN, INT96, FLOATING, FLOATING_WIDE, BYTE_ARRAY ->
              throw broken("units must be text, an integer, or a decimal without a fraction");
        };
    if (length < 1 || length > 16 || length > plain.length - at) {
      throw broken("a number outside of its page");
    }
    boolean fixed = column.type() == ParquetFooter.Type.FIXED_LEN_BYTE_ARRAY;
    byte first = plain[fixed ? at : at + length - 1];
    long high = first < 0 && !column.unsigned() ? -1 : 0;
    long low = high;
    for (int i = 0; i < length; i++) {
      // A decimal has its most significant byte first, an integer last.
      int one = plain[fixed ? at + i : at + length - 1 - i] & 0xff;
      high = (high << 8) | (low >>> 56);
      low = (low << 8) | one;
    }
    highs[values] = high;
    lows[values] = low;
    values++;
    return at + length;
  }

  /** No more than the bytes can hold, whatever the header says. */
  private void grow(int count, int bytesLeft) throws Refused {
    if (count > bytesLeft) {
      throw broken("more values than bytes");
    }
    int needed = Math.addExact(values, count);
    if (isText() && needed > froms.length) {
      int size = Math.max(needed, 2 * froms.length);
      buffers = Arrays.copyOf(buffers, size);
      froms = Arrays.copyOf(froms, size);
      lengths = Arrays.copyOf(lengths, size);
    } else if (!isText() && needed > highs.length) {
      int size = Math.max(needed, 2 * highs.length);
      highs = Arrays.copyOf(highs, size);
      lows = Arrays.copyOf(lows, size);
    }
  }

  private static int intAt(byte[] bytes, int at) throws Refused {
    if (at < 0 || at > bytes.length - 4) {
      throw broken("cut short");
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
  }

  private static Refused broken(String what) {
    return Refused.badInput("Parquet: " + what);
  }
}
