package dev.ron.rewarder.input.parquet;

import dev.ron.rewarder.RewarderFaultException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes Snappy's block format, strictly.
 *
 * <p>Short pieces are moved eight bytes at a time and may write past their end: what comes next
 * overwrites it, and the caller leaves {@link #SLACK_BYTES} behind the last.
 *
 * <p>Threading: owned by the thread that reads the block.
 */
final class Snappy {
  static final int SLACK_BYTES = 16;

  /** Three bytes become sixty-four at best. */
  private static final int EXPANSION_MAX = 22;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int to;
  private final byte[] out;
  private final int start;
  private final int stop;
  private int at;
  private int end;

  private Snappy(byte[] bytes, int from, int to, byte[] out, int start, int length) {
    this.bytes = bytes;
    this.at = from;
    this.to = to;
    this.out = out;
    this.start = start;
    this.end = start;
    this.stop = start + length;
  }

  /**
   * Whether {@code coded} bytes can decode to {@code length} bytes at all; asked before memory is
   * allocated.
   */
  static boolean mayBecome(int coded, int length) {
    return length <= (long) EXPANSION_MAX * coded;
  }

  /**
   * @param length what it has to become, from {@code start} on
   */
  static void decode(byte[] bytes, int from, int to, byte[] out, int start, int length)
      throws RewarderFaultException {
    var block = new Snappy(bytes, from, to, out, start, length);
    if (block.saidLength() != length) {
      throw broken();
    }
    block.decode();
  }

  private long saidLength() throws RewarderFaultException {
    long said = 0;
    for (int shift = 0; ; shift += 7) {
      if (at >= to || shift > 28) {
        throw broken();
      }
      int one = bytes[at++] & 0xff;
      said |= (long) (one & 0x7f) << shift;
      if (one < 0x80) {
        return said;
      }
    }
  }

  private void decode() throws RewarderFaultException {
    while (at < to) {
      int tag = bytes[at++] & 0xff;
      switch (tag & 3) {
        case 0 -> literal(tag >>> 2);
        case 1 -> copy(((tag >>> 5) << 8) | number(1), ((tag >>> 2) & 7) + 4);
        case 2 -> copy(number(2), (tag >>> 2) + 1);
        default -> copy(number(4), (tag >>> 2) + 1);
      }
    }
    if (end != stop) {
      throw broken();
    }
  }

  private void literal(int sizeOrMore) throws RewarderFaultException {
    int size = (sizeOrMore < 60 ? sizeOrMore : number(sizeOrMore - 59)) + 1;
    if (size <= 0 || size > to - at || size > stop - end) {
      throw broken();
    }
    if (size <= 16 && at + 16 <= bytes.length && end + 16 <= out.length) {
      LONGS.set(out, end, (long) LONGS.get(bytes, at));
      LONGS.set(out, end + 8, (long) LONGS.get(bytes, at + 8));
    } else {
      System.arraycopy(bytes, at, out, end, size);
    }
    at += size;
    end += size;
  }

  private void copy(int back, int size) throws RewarderFaultException {
    if (back <= 0 || back > end - start || size > stop - end) {
      throw broken();
    }
    if (back >= Long.BYTES && end + size + Long.BYTES <= out.length) {
      for (int i = 0; i < size; i += Long.BYTES) {
        LONGS.set(out, end + i, (long) LONGS.get(out, end + i - back));
      }
    } else {
      for (int i = 0; i < size; i++) {
        out[end + i] = out[end + i - back];
      }
    }
    end += size;
  }

  private int number(int count) throws RewarderFaultException {
    if (at + count > to) {
      throw broken();
    }
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[at + i] & 0xff) << (8 * i);
    }
    at += count;
    return value;
  }

  private static RewarderFaultException broken() {
    return RewarderFaultException.badInput("Parquet: damaged Snappy");
  }
}
