package dev.ron.tilepack.tile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes in the making, as protocol buffers and PMTiles directories write numbers.
 *
 * <p>Threading: owned by one thread.
 */
public final class Varints {
  private static final int WIRE_VARINT = 0;
  private static final int WIRE_LENGTH = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Seven bits a byte, the lowest first. */
  public Varints put(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
    return this;
  }

  /** A field of a protocol buffer that holds a number. */
  public Varints field(int number, long value) {
    return put(((long) number << 3) | WIRE_VARINT).put(value);
  }

  /** A field of a protocol buffer that holds bytes: a message, a text or packed numbers. */
  public Varints field(int number, byte[] bytes) {
    put(((long) number << 3) | WIRE_LENGTH).put(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  public Varints field(int number, String text) {
    return field(number, text.getBytes(StandardCharsets.UTF_8));
  }

  public Varints field(int number, Varints message) {
    return field(number, message.bytes());
  }

  public byte[] bytes() {
    return out.toByteArray();
  }
}
