package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields of a row or a log entry one behind the other.
 *
 * <p>Numbers are big-endian, so keys made of them are in their order; lengths and counts take as
 * many bytes as they need.
 *
 * <p>Threading: owned by the thread that writes.
 */
public final class RowWriter {
  private static final int FIRST_BYTES = 256;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  public RowWriter one(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  RowWriter flag(boolean value) {
    return one(value ? 1 : 0);
  }

  public RowWriter four(int value) {
    room(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  public RowWriter eight(long value) {
    four((int) (value >>> 32));
    return four((int) value);
  }

  /** Seven bits a byte, the lowest first. */
  public RowWriter count(long value) {
    long left = value;
    while (left >>> 7 != 0) {
      one((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    return one((int) left);
  }

  /** As they are; the reader knows how many. */
  public RowWriter raw(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
    return this;
  }

  public RowWriter sized(byte[] more) {
    return count(more.length).raw(more);
  }

  public RowWriter text(String value) {
    return sized(value.getBytes(UTF_8));
  }

  <T> RowWriter optional(@Nullable T value, BiConsumer<RowWriter, T> writes) {
    flag(value != null);
    if (value != null) {
      writes.accept(this, value);
    }
    return this;
  }

  public <T> RowWriter list(List<T> values, BiConsumer<RowWriter, T> writes) {
    count(values.size());
    values.forEach(value -> writes.accept(this, value));
    return this;
  }

  public byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
