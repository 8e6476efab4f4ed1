package dev.ron.blake3;

import dev.ron.blake3.kernel.CompressionFunction;
import dev.ron.blake3.kernel.Words;

/**
 * What a hash is for: plain or keyed. Two modes never give the same output.
 *
 * <p>Threading: immutable.
 */
public final class Mode {
  /** The plain hash, of which an {@link Address} is made. */
  public static final Mode PLAIN = new Mode(CompressionFunction.iv(), 0);

  private final int[] key;
  private final int flags;

  private Mode(int[] key, int flags) {
    this.key = key;
    this.flags = flags;
  }

  /** A keyed hash, usable as a message authentication code. */
  public static Mode keyed(byte[] key) {
    return new Mode(words(key), CompressionFunction.KEYED_HASH);
  }

  private static int[] words(byte[] key) {
    if (key.length != Hash.BYTES) {
      throw new IllegalArgumentException(
          "a key has " + Hash.BYTES + " bytes, this one has " + key.length);
    }
    int[] words = new int[CompressionFunction.CV_WORDS];
    Words.read(key, 0, words);
    return words;
  }

  /** Not copied, because kernels read it once per call; no code in this package writes to it. */
  public int[] key() {
    return key;
  }

  public int flags() {
    return flags;
  }

  public void startValue(int[] into) {
    System.arraycopy(key, 0, into, 0, CompressionFunction.CV_WORDS);
  }
}
