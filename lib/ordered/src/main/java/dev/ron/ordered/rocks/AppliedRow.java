package dev.ron.ordered.rocks;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The reserved row that holds the applied index: its key is empty, which no caller's is, so it lies
 * before all rows and in the same files as they do.
 *
 * <p>Its value is a format (1 byte) and the index (8 bytes).
 */
final class AppliedRow {
  static final byte[] KEY = {};

  private static final byte FORMAT = 1;
  private static final int BYTES = 9;

  private AppliedRow() {}

  static byte[] value(long index) {
    return ByteBuffer.allocate(BYTES).put(FORMAT).putLong(index).array();
  }

  /**
   * @param value null where nothing was applied yet
   * @throws IllegalArgumentException if it is not of this format
   */
  static long index(byte @Nullable [] value, long nothing) {
    if (value == null) {
      return nothing;
    }
    if (value.length != BYTES || value[0] != FORMAT) {
      throw new IllegalArgumentException(
          "the applied index is " + HexFormat.of().formatHex(value) + ", not of format " + FORMAT);
    }
    return ByteBuffer.wrap(value).getLong(1);
  }
}
