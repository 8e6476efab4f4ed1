package dev.ron.rewarder.wire;

/**
 * Takes Snappy's block format off, strictly.
 *
 * <p>Threading: stateless.
 */
final class Snappy {
  private Snappy() {}

  /**
   * @param length what it has to become
   */
  static byte[] decode(byte[] bytes, int from, int to, int length) throws Refused {
    int at = from;
    long said = 0;
    for (int shift = 0; ; shift += 7) {
      if (at >= to || shift > 28) {
        throw broken();
      }
      int one = bytes[at++] & 0xff;
      said |= (long) (one & 0x7f) << shift;
      if (one < 0x80) {
        break;
      }
    }
    if (said != length) {
      throw broken();
    }
    byte[] out = new byte[length];
    int end = 0;
    while (at < to) {
      int tag = bytes[at++] & 0xff;
      if ((tag & 3) == 0) {
        int size = tag >>> 2;
        if (size >= 60) {
          int more = size - 59;
          size = number(bytes, at, to, more);
          at += more;
        }
        size++;
        if (size <= 0 || size > to - at || size > length - end) {
          throw broken();
        }
        System.arraycopy(bytes, at, out, end, size);
        at += size;
        end += size;
      } else {
        int extra = (tag & 3) == 3 ? 4 : tag & 3;
        int low = number(bytes, at, to, extra);
        at += extra;
        boolean near = (tag & 3) == 1;
        int size = near ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
        int back = near ? ((tag >>> 5) << 8) | low : low;
        if (back <= 0 || back > end || size > length - end) {
          throw broken();
        }
        copy(out, end, back, size);
        end += size;
      }
    }
    if (end != length) {
      throw broken();
    }
    return out;
  }

  private static void copy(byte[] out, int end, int back, int size) {
    if (back >= size) {
      System.arraycopy(out, end - back, out, end, size);
    } else {
      for (int i = 0; i < size; i++) {
        out[end + i] = out[end - back + i];
      }
    }
  }

  private static int number(byte[] bytes, int at, int to, int count) throws Refused {
    if (at + count > to) {
      throw broken();
    }
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[at + i] & 0xff) << (8 * i);
    }
    return value;
  }

  private static Refused broken() {
    return Refused.badInput("Parquet: damaged Snappy");
  }
}
