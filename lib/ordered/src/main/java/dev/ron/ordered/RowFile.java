package dev.ron.ordered;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The checkpoint of a store in memory: one file with all rows in order.
 *
 * <p>Big endian: magic (8), applied index (8), rows (4), for each row key bytes (4), value bytes
 * (4), key, value; CRC-32C of all before (8).
 */
final class RowFile {
  private static final long MAGIC = 0x524f4e524f575331L; // RONROWS1
  private static final String NAME = "rows";

  private RowFile() {}

  /** What a file holds. */
  record Content(RowTree rows, long index) {}

  static void write(Path folder, RowTree rows, long index) throws IOException {
    Files.createDirectory(folder);
    var sum = new CRC32C();
    try (var file =
            Files.newOutputStream(
                folder.resolve(NAME), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var out =
            new DataOutputStream(new CheckedOutputStream(new BufferedOutputStream(file), sum))) {
      out.writeLong(MAGIC);
      out.writeLong(index);
      out.writeInt(rows.rows());
      try (var cursor = new MemoryCursor(rows, KeyRange.all(), () -> true, () -> {})) {
        while (cursor.next()) {
          byte[] value = cursor.value();
          out.writeInt(cursor.key().length);
          out.writeInt(value.length);
          out.write(cursor.key());
          out.write(value);
        }
      }
      out.writeLong(sum.getValue());
    }
  }

  static Content read(Path folder, String store, RandomGenerator chance) throws IOException {
    Path path = folder.resolve(NAME);
    var sum = new CRC32C();
    try (var in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(path)), sum))) {
      check(in.readLong() == MAGIC, store, path);
      long index = in.readLong();
      var rows = RowTree.EMPTY;
      for (int left = in.readInt(); left > 0; left--) {
        int keyBytes = in.readInt();
        int valueBytes = in.readInt();
        check(keyBytes > 0 && keyBytes <= OrderedStore.KEY_BYTES_MAX, store, path);
        check(valueBytes >= 0 && valueBytes <= OrderedStore.VALUE_BYTES_MAX, store, path);
        byte[] key = in.readNBytes(keyBytes);
        rows = rows.put(key, in.readNBytes(valueBytes), chance);
      }
      long all = sum.getValue();
      check(in.readLong() == all, store, path);
      return new Content(rows, index);
    } catch (EOFException cut) {
      throw new OrderedException(new OrderedFault.CorruptRows(store, path + " is cut"), cut);
    }
  }

  private static void check(boolean right, String store, Path path) throws OrderedException {
    if (!right) {
      throw new OrderedException(
          new OrderedFault.CorruptRows(store, path + " is not what was written"));
    }
  }
}
