package dev.ron.rewarder.input.parquet;

import static dev.ron.rewarder.input.parquet.PageBytes.PAGE_BYTES_MAX;
import static dev.ron.rewarder.input.parquet.PageBytes.broken;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * One column of a row group, decoded: each row has the number of a value.
 *
 * <p>A dictionary's values come first; values that were not in it are numbered behind it. So a scan
 * of the rows does the work for a value once, however often it comes.
 *
 * <p>Threading: owned by the worker that reads the group.
 */
final class ParquetColumn {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ParquetFooter.Chunk chunk;
  private final PageBytes pages;

  /** For each row the number of its value. */
  final int[] rows;

  /** For each value of text where its bytes are in {@link #text}. */
  int[] froms = {};

  int[] tos = {};

  /** For each value that is a number its 128 bits, signed. */
  long[] highs = {};

  long[] lows = {};
  int values;

  /** Values below this number are the dictionary's. */
  int dictionarySize;

  private int next;

  private ParquetColumn(ParquetFooter.Chunk chunk) {
    this.chunk = chunk;
    this.pages = new PageBytes(chunk.codec());
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

  /** Where the bytes of texts are. */
  byte[] text() {
    return pages.bytes();
  }

  private void page(ThriftStruct header, byte[] bytes, int from, int to) throws IOException {
    int plainSize = header.count(2, PAGE_BYTES_MAX);
    switch ((int) header.number(1, -1)) {
      case 0 -> {
        ThriftStruct data = header.struct(5);
        int count = data.count(1, rows.length - (long) next);
        int at = pages.add(bytes, from, to, plainSize, true);
        int end = at + plainSize;
        int levels = chunk.column().optional() ? levels(at, end, count) : 0;
        values(data.number(2, -1), at, at + levels, end, count);
      }
      case 2 -> {
        int at = pages.add(bytes, from, to, plainSize, true);
        plainValues(at, at, at + plainSize, header.struct(7).count(1, PAGE_BYTES_MAX));
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
    boolean compressed = data.number(7, 1) != 0;
    int size = compressed ? plainSize - levels : to - from - levels;
    int at = pages.add(bytes, from + levels, to, size, compressed);
    values(data.number(4, -1), at, at, at + size, count);
  }

  /** Checks that nothing is null; answers how long the levels are. */
  private int levels(int at, int end, int count) throws RewarderFaultException {
    int length = intAt(at, end);
    if (length < 0 || length > end - at - 4) {
      throw broken("levels that are too long");
    }
    // The rows of this page are not read yet, so that their room can be used.
    RunLengths.read(text(), at + 4, at + 4 + length, 1, rows, next, count);
    int all = 1;
    for (int i = next; i < next + count; i++) {
      all &= rows[i];
    }
    if (all == 0) {
      throw broken("a null in actor, metric or units");
    }
    return 4 + length;
  }

  private void values(long encoding, int page, int at, int end, int count)
      throws RewarderFaultException {
    switch ((int) encoding) {
      case 0 -> {
        int first = values;
        plainValues(page, at, end, count);
        for (int i = 0; i < count; i++) {
          rows[next + i] = first + i;
        }
      }
      case 2, 8 -> {
        if (at >= end) {
          throw broken("a page without its width");
        }
        RunLengths.read(text(), at + 1, end, text()[at] & 0xff, rows, next, count);
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

  private void plainValues(int page, int at, int end, int count) throws RewarderFaultException {
    // No more than the bytes can hold, whatever the header says.
    if (count > end - at) {
      throw broken("more values than bytes");
    }
    if (isText()) {
      texts(at, end, count);
      pages.keep(end - page);
    } else {
      numbers(at, end, count);
    }
  }

  private void texts(int from, int end, int count) throws RewarderFaultException {
    if (values + count > froms.length) {
      int size = Math.max(Math.addExact(values, count), 2 * froms.length);
      froms = Arrays.copyOf(froms, size);
      tos = Arrays.copyOf(tos, size);
    }
    byte[] bytes = text();
    int at = from;
    for (int i = values; i < values + count; i++) {
      int length = at <= end - 4 ? (int) INTS.get(bytes, at) : -1;
      if (length < 0 || length > end - at - 4) {
        throw broken("a text longer than its page");
      }
      froms[i] = at + 4;
      at += 4 + length;
      tos[i] = at;
    }
    values += count;
  }

  private void numbers(int from, int end, int count) throws RewarderFaultException {
    ParquetFooter.Column column = chunk.column();
    int length =
        switch (column.type()) {
          case INT32 -> Integer.BYTES;
          case INT64 -> Long.BYTES;
          case FIXED_LEN_BYTE_ARRAY -> column.length();
          case BOOLEAN, INT96, FLOATING, FLOATING_WIDE, BYTE_ARRAY ->
              throw broken("units must be text, an integer, or a decimal without a fraction");
        };
    if (length < 1 || length > 16 || (long) length * count > end - from) {
      throw broken("a number outside of its page");
    }
    if (values + count > lows.length) {
      int size = Math.max(Math.addExact(values, count), 2 * lows.length);
      highs = Arrays.copyOf(highs, size);
      lows = Arrays.copyOf(lows, size);
    }
    byte[] bytes = text();
    boolean signed = !column.unsigned();
    for (int i = 0; i < count; i++) {
      int at = from + i * length;
      switch (column.type()) {
        case INT64 -> number((long) LONGS.get(bytes, at), signed);
        case INT32 ->
            number(
                signed ? (int) INTS.get(bytes, at) : (int) INTS.get(bytes, at) & 0xffff_ffffL,
                signed);
        default -> decimal(bytes, at, length);
      }
    }
  }

  private void number(long low, boolean signed) {
    lows[values] = low;
    highs[values++] = signed ? low >> 63 : 0;
  }

  /** A decimal has its most significant byte first. */
  private void decimal(byte[] bytes, int at, int length) {
    long high = bytes[at] < 0 ? -1 : 0;
    long low = high;
    for (int i = 0; i < length; i++) {
      high = (high << 8) | (low >>> 56);
      low = (low << 8) | (bytes[at + i] & 0xff);
    }
    highs[values] = high;
    lows[values++] = low;
  }

  private int intAt(int at, int end) throws RewarderFaultException {
    if (at > end - 4) {
      throw broken("cut short");
    }
    return (int) INTS.get(text(), at);
  }
}
