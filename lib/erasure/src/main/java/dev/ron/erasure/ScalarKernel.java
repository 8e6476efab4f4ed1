package dev.ron.erasure;

import java.util.Arrays;

/**
 * One table lookup per byte and coefficient: the fallback where vectors are absent, the yardstick
 * by which the others are tested, and the end of their arrays that fills no whole vector.
 *
 * <p>Threading: immutable.
 */
final class ScalarKernel implements Kernel {
  /** An output block stays in the first-level cache while every input is added to it. */
  private static final int BLOCK_BYTES = 4096;

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void apply(Combination of, byte[][] in, int inAt, byte[][] out, int outAt, int length) {
    for (int at = 0; at < length; at += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, length - at);
      block(of, in, inAt + at, out, outAt + at, bytes);
    }
  }

  static void block(Combination of, byte[][] in, int inAt, byte[][] out, int outAt, int bytes) {
    for (int row = 0; row < of.rows(); row++) {
      byte[] output = out[of.into[row]];
      Arrays.fill(output, outAt, outAt + bytes, (byte) 0);
      for (int column = 0; column < of.columns(); column++) {
        byte[] input = in[of.from[column]];
        addMultiple(of.coefficient(row, column), input, inAt, output, outAt, bytes);
      }
    }
  }

  private static void addMultiple(
      int coefficient, byte[] input, int inputAt, byte[] output, int outputAt, int bytes) {
    byte[] products = GaloisField.PRODUCTS;
    int products0 = coefficient << 8;
    for (int i = 0; i < bytes; i++) {
      output[outputAt + i] ^= products[products0 | (input[inputAt + i] & 0xff)];
    }
  }
}
