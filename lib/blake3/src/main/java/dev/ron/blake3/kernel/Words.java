package dev.ron.blake3.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Little-endian words in byte arrays.
 *
 * <p>Threading: stateless.
 */
public final class Words {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  static int word(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static void word(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  public static long longWord(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public static void longWord(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  /** Reads {@code words.length} words. */
  public static void read(byte[] from, int at, int[] words) {
    for (int i = 0; i < words.length; i++) {
      words[i] = word(from, at + i * Integer.BYTES);
    }
  }

  /** Writes the first eight words: a chaining value. */
  public static void writeValue(int[] words, byte[] to, int at) {
    for (int i = 0; i < CompressionFunction.CV_WORDS; i++) {
      word(to, at + i * Integer.BYTES, words[i]);
    }
  }
}
