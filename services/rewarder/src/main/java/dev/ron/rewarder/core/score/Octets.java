package dev.ron.rewarder.core.score;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Names as bytes, compared and hashed eight at a time.
 *
 * <p>Names are short and there is one in every line: calls that pay off for long arrays cost more
 * than the work here.
 *
 * <p>Threading: stateless.
 */
final class Octets {
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Octets() {}

  static boolean same(byte[] a, int aFrom, byte[] b, int bFrom, int length) {
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        if (a[aFrom + i] != b[bFrom + i]) {
          return false;
        }
      }
      return true;
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if ((long) LONGS.get(a, aFrom + i) != (long) LONGS.get(b, bFrom + i)) {
        return false;
      }
    }
    // The last eight may overlap those before: looking twice is cheaper than byte by byte.
    return (long) LONGS.get(a, aFrom + last) == (long) LONGS.get(b, bFrom + last);
  }

  /** Multiplied and folded; nothing that is kept depends on it. */
  static int hash(byte[] bytes, int from, int length) {
    long hash = length * 0x9e37_79b9_7f4a_7c15L;
    long tail = 0;
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        tail = (tail << 8) | (bytes[from + i] & 0xff);
      }
    } else {
      int last = length - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        hash = (hash ^ (long) LONGS.get(bytes, from + i)) * 0xff51_afd7_ed55_8ccdL;
        hash ^= hash >>> 32;
      }
      tail = (long) LONGS.get(bytes, from + last);
    }
    hash = (hash ^ tail) * 0xff51_afd7_ed55_8ccdL;
    hash ^= hash >>> 32;
    hash *= 0xc4ce_b9fe_1a85_ec53L;
    return (int) ((hash >>> 32) ^ (hash >>> 9));
  }
}
