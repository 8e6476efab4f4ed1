package dev.ron.rewarder.input.parquet;

import dev.ron.rewarder.RewarderFaultException;

/**
 * Parquet's hybrid of repeated and bit-packed numbers.
 *
 * <p>Threading: stateless.
 */
final class RunLengths {
  private RunLengths() {}

  /** Reads {@code count} numbers of {@code width} bits each into {@code out} from {@code at} on. */
  static void read(byte[] bytes, int from, int to, int width, int[] out, int at, int count)
      throws RewarderFaultException {
    if (width > 32) {
      throw broken();
    }
    int position = from;
    int end = at + count;
    for (int next = at; next < end; ) {
      long head = 0;
      for (int shift = 0; ; shift += 7) {
        if (position >= to || shift > 28) {
          throw broken();
        }
        int one = bytes[position++] & 0xff;
        head |= (long) (one & 0x7f) << shift;
        if (one < 0x80) {
          break;
        }
      }
      long length = head >>> 1;
      if ((head & 1) == 0) {
        int valueBytes = (width + 7) / 8;
        if (position + valueBytes > to || length == 0) {
          throw broken();
        }
        int value = 0;
        for (int i = 0; i < valueBytes; i++) {
          value |= (bytes[position++] & 0xff) << (8 * i);
        }
        int stop = (int) Math.min(end, next + length);
        java.util.Arrays.fill(out, next, stop, value);
        next = stop;
      } else {
        long packed = length * width;
        int here = (int) Math.min(end - next, length * 8);
        // The last group may be cut off behind the numbers that count.
        if (length == 0 || position + ((long) here * width + 7) / 8 > to) {
          throw broken();
        }
        unpack(bytes, position, to, width, out, next, here);
        position = (int) Math.min(to, position + packed);
        next += here;
      }
    }
  }

  private static void unpack(
      byte[] bytes, int from, int to, int width, int[] out, int at, int count) {
    long buffer = 0;
    int held = 0;
    int position = from;
    int mask = (int) ((1L << width) - 1);
    for (int i = 0; i < count; i++) {
      while (held < width && position < to) {
        buffer |= (bytes[position++] & 0xffL) << held;
        held += 8;
      }
      out[at + i] = (int) buffer & mask;
      buffer >>>= width;
      held -= width;
    }
  }

  private static RewarderFaultException broken() {
    return RewarderFaultException.badInput("Parquet: damaged levels or dictionary indexes");
  }
}
