package dev.ron.blake3.kernel;

import static java.lang.Integer.rotateRight;

/**
 * The compression function of BLAKE3 in plain Java, with the numbers that every kernel shares.
 *
 * <p>Words are little-endian. A chaining value is eight words, a block sixteen; both live in
 * caller-owned arrays at an offset, so that nothing is allocated per block.
 *
 * <p>Threading: stateless.
 */
public final class CompressionFunction {
  public static final int CHUNK_START = 1;
  public static final int CHUNK_END = 1 << 1;
  public static final int PARENT = 1 << 2;
  public static final int ROOT = 1 << 3;
  public static final int KEYED_HASH = 1 << 4;

  public static final int BLOCK_BYTES = 64;
  public static final int BLOCK_WORDS = 16;
  public static final int CV_WORDS = 8;
  static final int ROUNDS = 7;

  private static final int[] IV = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
  };

  private CompressionFunction() {}

  static int iv(int word) {
    return IV[word];
  }

  public static int[] iv() {
    return IV.clone();
  }

  /** All seven rounds of message word indices, each multiplied by {@code stride}. */
  static int[] schedule(int stride) {
    int[] permutation = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
    int[] words = new int[ROUNDS * BLOCK_WORDS];
    for (int i = 0; i < words.length; i++) {
      words[i] =
          i < BLOCK_WORDS
              ? i
              : words[i - BLOCK_WORDS - i % BLOCK_WORDS + permutation[i % BLOCK_WORDS]];
    }
    for (int i = 0; i < words.length; i++) {
      words[i] *= stride;
    }
    return words;
  }

  /**
   * Replaces the chaining value {@code h} by that of the block {@code m} after it.
   *
   * <p>Longer than a method should be: the sixteen words of state must be local variables for the
   * compiler to keep them in registers, and Java cannot hand sixteen locals to a smaller method.
   */
  public static void compress(int[] h, int[] m, long counter, int blockBytes, int flags) {
    int v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3], v4 = h[4], v5 = h[5], v6 = h[6], v7 = h[7];
    int v8 = IV[0], v9 = IV[1], v10 = IV[2], v11 = IV[3];
    int v12 = (int) counter, v13 = (int) (counter >>> 32), v14 = blockBytes, v15 = flags;
    int m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7];
    int m8 = m[8], m9 = m[9], m10 = m[10], m11 = m[11];
    int m12 = m[12], m13 = m[13], m14 = m[14], m15 = m[15];
    for (int round = 1; ; round++) {
      v0 += v4 + m0;
      v12 = rotateRight(v12 ^ v0, 16);
      v8 += v12;
      v4 = rotateRight(v4 ^ v8, 12);
      v0 += v4 + m1;
      v12 = rotateRight(v12 ^ v0, 8);
      v8 += v12;
      v4 = rotateRight(v4 ^ v8, 7);
      v1 += v5 + m2;
      v13 = rotateRight(v13 ^ v1, 16);
      v9 += v13;
      v5 = rotateRight(v5 ^ v9, 12);
      v1 += v5 + m3;
      v13 = rotateRight(v13 ^ v1, 8);
      v9 += v13;
      v5 = rotateRight(v5 ^ v9, 7);
      v2 += v6 + m4;
      v14 = rotateRight(v14 ^ v2, 16);
      v10 += v14;
      v6 = rotateRight(v6 ^ v10, 12);
      v2 += v6 + m5;
      v14 = rotateRight(v14 ^ v2, 8);
      v10 += v14;
      v6 = rotateRight(v6 ^ v10, 7);
      v3 += v7 + m6;
      v15 = rotateRight(v15 ^ v3, 16);
      v11 += v15;
      v7 = rotateRight(v7 ^ v11, 12);
      v3 += v7 + m7;
      v15 = rotateRight(v15 ^ v3, 8);
      v11 += v15;
      v7 = rotateRight(v7 ^ v11, 7);
      v0 += v5 + m8;
      v15 = rotateRight(v15 ^ v0, 16);
      v10 += v15;
      v5 = rotateRight(v5 ^ v10, 12);
      v0 += v5 + m9;
      v15 = rotateRight(v15 ^ v0, 8);
      v10 += v15;
      v5 = rotateRight(v5 ^ v10, 7);
      v1 += v6 + m10;
      v12 = rotateRight(v12 ^ v1, 16);
      v11 += v12;
      v6 = rotateRight(v6 ^ v11, 12);
      v1 += v6 + m11;
      v12 = rotateRight(v12 ^ v1, 8);
      v11 += v12;
      v6 = rotateRight(v6 ^ v11, 7);
      v2 += v7 + m12;
      v13 = rotateRight(v13 ^ v2, 16);
      v8 += v13;
      v7 = rotateRight(v7 ^ v8, 12);
      v2 += v7 + m13;
      v13 = rotateRight(v13 ^ v2, 8);
      v8 += v13;
      v7 = rotateRight(v7 ^ v8, 7);
      v3 += v4 + m14;
      v14 = rotateRight(v14 ^ v3, 16);
      v9 += v14;
      v4 = rotateRight(v4 ^ v9, 12);
      v3 += v4 + m15;
      v14 = rotateRight(v14 ^ v3, 8);
      v9 += v14;
      v4 = rotateRight(v4 ^ v9, 7);
      if (round == ROUNDS) {
        break;
      }
      // The permutation of the message words. Moving them beats looking their places up.
      int t0 = m0;
      m0 = m2;
      m2 = m3;
      m3 = m10;
      m10 = m12;
      m12 = m9;
      m9 = m11;
      m11 = m5;
      m5 = t0;
      int t1 = m1;
      m1 = m6;
      m6 = m4;
      m4 = m7;
      m7 = m13;
      m13 = m14;
      m14 = m15;
      m15 = m8;
      m8 = t1;
    }
    h[0] = v0 ^ v8;
    h[1] = v1 ^ v9;
    h[2] = v2 ^ v10;
    h[3] = v3 ^ v11;
    h[4] = v4 ^ v12;
    h[5] = v5 ^ v13;
    h[6] = v6 ^ v14;
    h[7] = v7 ^ v15;
  }
}
