package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link RowWriter} wrote. What does not fit throws: rows are written by this program
 * alone, and the store and the journal check their bytes.
 *
 * <p>Threading: owned by the thread that reads.
 */
public final class RowReader {
  private final byte[] bytes;
  private int at;

  public RowReader(byte[] bytes) {
    this.bytes = bytes;
  }

  public int one() {
    if (at == bytes.length) {
      throw new IllegalStateException("the bytes end too early");
    }
    return bytes[at++] & 0xff;
  }

  boolean flag() {
    return one() != 0;
  }

  public int four() {
    return (one() << 24) | (one() << 16) | (one() << 8) | one();
  }

  public long eight() {
    return ((long) four() << 32) | (four() & 0xffff_ffffL);
  }

  public long count() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = one();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IllegalStateException("a number of more than 64 bits");
  }

  public byte[] raw(int length) {
    if (length < 0 || length > bytes.length - at) {
      throw new IllegalStateException("%d bytes where %d are left".formatted(length, left()));
    }
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  public byte[] sized() {
    return raw(Math.clamp(count(), -1, Integer.MAX_VALUE));
  }

  public String text() {
    return new String(sized(), UTF_8);
  }

  <T> @Nullable T optional(Function<RowReader, T> reads) {
    return flag() ? reads.apply(this) : null;
  }

  public <T> List<T> list(Function<RowReader, T> reads) {
    long size = count();
    // Each takes a byte at least, so no room is made for more than can be there.
    if (size < 0 || size > left()) {
      throw new IllegalStateException(
          "a list of %d where %d bytes are left".formatted(size, left()));
    }
    var values = new ArrayList<T>((int) size);
    for (int i = 0; i < size; i++) {
      values.add(reads.apply(this));
    }
    return values;
  }

  public int left() {
    return bytes.length - at;
  }
}
