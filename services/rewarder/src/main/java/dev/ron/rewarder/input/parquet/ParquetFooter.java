package dev.ron.rewarder.input.parquet;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a Parquet file says about itself, as far as accounting needs it: a flat table with the
 * columns {@code actor}, {@code metric}, {@code units} and maybe {@code shard}.
 *
 * <p>Threading: immutable.
 */
public record ParquetFooter(List<RowGroup> rowGroups) {
  private static final int MAGIC = 0x31524150;
  private static final int TAIL_BYTES = 8;
  private static final int FOOTER_BYTES_MAX = 64 << 20;

  /** A group is decoded in memory. */
  private static final int CHUNK_BYTES_MAX = 512 << 20;

  private static final int GROUP_ROWS_MAX = 1 << 24;

  /** What a column is made of. */
  enum Type {
    BOOLEAN,
    INT32,
    INT64,
    INT96,
    FLOATING,
    FLOATING_WIDE,
    BYTE_ARRAY,
    FIXED_LEN_BYTE_ARRAY
  }

  /**
   * A column of the schema.
   *
   * @param length of each value, if the type has a fixed one
   * @param optional may have nulls, which are refused where they are
   * @param unsigned the integers are
   */
  record Column(String name, Type type, int length, boolean optional, boolean unsigned) {}

  /** A column's bytes in one group. */
  record Chunk(Column column, int codec, long offset, int bytes, int values) {}

  /** Rows that are stored together. */
  public record RowGroup(int rows, Chunk actor, Chunk metric, Chunk units) {}

  public static ParquetFooter read(DiskFile file) throws IOException {
    long size = file.size();
    ByteBuffer tail =
        ByteBuffer.wrap(bytes(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    int length = tail.getInt();
    if (tail.getInt() != MAGIC || length < 0 || length > Math.min(FOOTER_BYTES_MAX, size - 12)) {
      throw RewarderFaultException.badInput("Parquet: the file does not end as one");
    }
    byte[] footer = bytes(file, size - TAIL_BYTES - length, length);
    ThriftStruct metadata = new ThriftStruct.Reader(footer, 0, length).struct();
    List<Column> columns = columns(metadata.structs(2));
    var groups = new ArrayList<RowGroup>();
    for (ThriftStruct group : metadata.structs(4)) {
      groups.add(group(group, columns, size));
    }
    return new ParquetFooter(List.copyOf(groups));
  }

  static byte[] bytes(DiskFile file, long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (file.read(ByteBuffer.wrap(bytes), at) != length) {
      throw RewarderFaultException.badInput("Parquet: cut short");
    }
    return bytes;
  }

  private static List<Column> columns(List<ThriftStruct> schema) throws RewarderFaultException {
    if (schema.isEmpty() || schema.getFirst().number(5, 0) != schema.size() - 1) {
      throw RewarderFaultException.badInput("Parquet: nested columns; accounting is a flat table");
    }
    var columns = new ArrayList<Column>();
    for (ThriftStruct each : schema.subList(1, schema.size())) {
      String name = each.text(4);
      if (!List.of("actor", "metric", "units", "shard").contains(name)) {
        throw RewarderFaultException.badInput("Parquet: a column that is not known");
      }
      long repetition = each.number(3, 0);
      long converted = each.number(6, -1);
      Type[] types = Type.values();
      int type = each.count(1, types.length - 1L);
      if (repetition > 1 || (converted == 5 && each.number(7, 0) != 0)) {
        throw RewarderFaultException.badInput(
            "Parquet: %s is a list, or has a fraction".formatted(name));
      }
      columns.add(
          new Column(
              name,
              types[type],
              (int) each.number(2, 0),
              repetition == 1,
              converted == 13 || converted == 14 || unsigned(each)));
    }
    return columns;
  }

  /** The newer way to say it: logicalType, INTEGER, isSigned. */
  private static boolean unsigned(ThriftStruct element) throws RewarderFaultException {
    return element.has(10)
        && element.struct(10).has(10)
        && element.struct(10).struct(10).number(2, 1) == 0;
  }

  private static RowGroup group(ThriftStruct group, List<Column> columns, long size)
      throws RewarderFaultException {
    List<ThriftStruct> chunks = group.structs(1);
    if (chunks.size() != columns.size()) {
      throw RewarderFaultException.badInput("Parquet: a row group without all columns");
    }
    int rows = group.count(3, GROUP_ROWS_MAX);
    @Nullable Chunk[] wanted = new @Nullable Chunk[3];
    List<String> names = List.of("actor", "metric", "units");
    for (int i = 0; i < columns.size(); i++) {
      int place = names.indexOf(columns.get(i).name());
      if (place >= 0) {
        wanted[place] = chunk(chunks.get(i).struct(3), columns.get(i), rows, size);
      }
    }
    Chunk actor = wanted[0];
    Chunk metric = wanted[1];
    Chunk units = wanted[2];
    if (actor == null || metric == null || units == null) {
      throw RewarderFaultException.badInput("Parquet: actor, metric or units is missing");
    }
    if (actor.column().type() != Type.BYTE_ARRAY || metric.column().type() != Type.BYTE_ARRAY) {
      throw RewarderFaultException.badInput("Parquet: actor and metric must be text");
    }
    return new RowGroup(rows, actor, metric, units);
  }

  private static Chunk chunk(ThriftStruct meta, Column column, int rows, long size)
      throws RewarderFaultException {
    long data = meta.number(9, -1);
    long dictionary = meta.number(11, data);
    long offset = dictionary > 0 ? Math.min(dictionary, data) : data;
    int bytes = meta.count(7, CHUNK_BYTES_MAX);
    int values = meta.count(5, rows);
    if (offset < 4 || offset + bytes > size || values != rows) {
      throw RewarderFaultException.badInput("Parquet: a column outside of the file, or with lists");
    }
    return new Chunk(column, (int) meta.number(4, 0), offset, bytes, values);
  }
}
