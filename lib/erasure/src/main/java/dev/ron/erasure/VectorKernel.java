package dev.ron.erasure;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Multiplies a whole vector of bytes by a coefficient with two shuffles.
 *
 * <p>A vector of L lanes is a table of L products, and a shuffle looks up L bytes in it at once.
 * With L = 2^b, the low b bits of a byte x select from the products of the coefficient with 0 to
 * L-1, the high bits from its products with the multiples of L; x is the sum of the two parts,
 * hence so is its product. At 16 lanes these are the well-known nibble tables. {@code selectFrom}
 * ignores the index bits above b, so that the low part needs no mask.
 *
 * <p>Tables stay in registers for a block of bytes. Three outputs share each load of an input, and
 * three inputs share each load and store of an output: more of either does not fit into 32
 * registers, and measures slower.
 *
 * <p>This class is a template. The compiler makes good code only where the species is a constant,
 * so {@link KernelChoice} defines it once per vector width as a hidden class and hands the width in
 * as class data. The template itself is never initialised. It must not contain lambdas or nested
 * classes: they would refer to the template by name.
 *
 * <p>Threading: immutable.
 */
final class VectorKernel implements Kernel {
  private static final VectorSpecies<Byte> SPECIES = species();
  private static final int LANES = SPECIES.length();
  private static final int LOW_BITS = Integer.numberOfTrailingZeros(LANES);

  /** {@code HIGH[c * LANES + i]} is c times (i shifted left by LOW_BITS). */
  private static final byte[] HIGH = highProducts();

  /**
   * Six input blocks and three output blocks of this size fit into a 32 KiB first-level cache; 2
   * KiB measured faster than 4 and 16.
   */
  private static final int BLOCK_BYTES = 2048;

  private static final int GROUP = 3;

  @Override
  public String name() {
    return "vector-" + SPECIES.vectorBitSize();
  }

  @Override
  public void apply(
      Combination combination,
      byte[][] inputs,
      int inputsAt,
      byte[][] outputs,
      int outputsAt,
      int length) {
    int whole = SPECIES.loopBound(length);
    for (int at = 0; at < whole; at += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, whole - at);
      for (int row = 0; row < combination.rows(); row += GROUP) {
        rows(combination, row, inputs, inputsAt + at, outputs, outputsAt + at, bytes);
      }
    }
    if (whole < length) {
      ScalarKernel.block(
          combination, inputs, inputsAt + whole, outputs, outputsAt + whole, length - whole);
    }
  }

  /** Up to three outputs from all inputs. */
  private static void rows(
      Combination of, int row, byte[][] inputs, int inAt, byte[][] outputs, int outAt, int bytes) {
    int rows = Math.min(GROUP, of.rows() - row);
    int column = 0;
    for (; column + GROUP <= of.columns(); column += GROUP) {
      switch (rows) {
        case 3 -> threeFromThree(of, row, column, inputs, inAt, outputs, outAt, bytes);
        case 2 -> twoFromThree(of, row, column, inputs, inAt, outputs, outAt, bytes);
        default -> oneFromThree(of, row, column, inputs, inAt, outputs, outAt, bytes);
      }
    }
    for (; column < of.columns(); column++) {
      switch (rows) {
        case 3 -> threeFromOne(of, row, column, inputs, inAt, outputs, outAt, bytes);
        case 2 -> twoFromOne(of, row, column, inputs, inAt, outputs, outAt, bytes);
        default -> oneFromOne(of, row, column, inputs, inAt, outputs, outAt, bytes);
      }
    }
  }

  private static void threeFromThree(
      Combination of,
      int row,
      int column,
      byte[][] inputs,
      int inAt,
      byte[][] outputs,
      int outAt,
      int bytes) {
    byte[] input0 = input(of, column, inputs);
    byte[] input1 = input(of, column + 1, inputs);
    byte[] input2 = input(of, column + 2, inputs);
    byte[] output0 = output(of, row, outputs);
    byte[] output1 = output(of, row + 1, outputs);
    byte[] output2 = output(of, row + 2, outputs);
    ByteVector low00 = low(of, row, column);
    ByteVector high00 = high(of, row, column);
    ByteVector low01 = low(of, row, column + 1);
    ByteVector high01 = high(of, row, column + 1);
    ByteVector low02 = low(of, row, column + 2);
    ByteVector high02 = high(of, row, column + 2);
    ByteVector low10 = low(of, row + 1, column);
    ByteVector high10 = high(of, row + 1, column);
    ByteVector low11 = low(of, row + 1, column + 1);
    ByteVector high11 = high(of, row + 1, column + 1);
    ByteVector low12 = low(of, row + 1, column + 2);
    ByteVector high12 = high(of, row + 1, column + 2);
    ByteVector low20 = low(of, row + 2, column);
    ByteVector high20 = high(of, row + 2, column);
    ByteVector low21 = low(of, row + 2, column + 1);
    ByteVector high21 = high(of, row + 2, column + 1);
    ByteVector low22 = low(of, row + 2, column + 2);
    ByteVector high22 = high(of, row + 2, column + 2);
    boolean first = column == 0;
    for (int i = 0; i < bytes; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, input0, inAt + i);
      ByteVector xh0 = highPart(x0);
      ByteVector x1 = ByteVector.fromArray(SPECIES, input1, inAt + i);
      ByteVector xh1 = highPart(x1);
      ByteVector x2 = ByteVector.fromArray(SPECIES, input2, inAt + i);
      ByteVector xh2 = highPart(x2);
      ByteVector sum0 =
          add(
              add(product(x0, xh0, low00, high00), product(x1, xh1, low01, high01)),
              product(x2, xh2, low02, high02));
      put(sum0, first, output0, outAt + i);
      ByteVector sum1 =
          add(
              add(product(x0, xh0, low10, high10), product(x1, xh1, low11, high11)),
              product(x2, xh2, low12, high12));
      put(sum1, first, output1, outAt + i);
      ByteVector sum2 =
          add(
              add(product(x0, xh0, low20, high20), product(x1, xh1, low21, high21)),
              product(x2, xh2, low22, high22));
      put(sum2, first, output2, outAt + i);
    }
  }

  private static void twoFromThree(
      Combination of,
      int row,
      int column,
      byte[][] inputs,
      int inAt,
      byte[][] outputs,
      int outAt,
      int bytes) {
    byte[] input0 = input(of, column, inputs);
    byte[] input1 = input(of, column + 1, inputs);
    byte[] input2 = input(of, column + 2, inputs);
    byte[] output0 = output(of, row, outputs);
    byte[] output1 = output(of, row + 1, outputs);
    ByteVector low00 = low(of, row, column);
    ByteVector high00 = high(of, row, column);
    ByteVector low01 = low(of, row, column + 1);
    ByteVector high01 = high(of, row, column + 1);
    ByteVector low02 = low(of, row, column + 2);
    ByteVector high02 = high(of, row, column + 2);
    ByteVector low10 = low(of, row + 1, column);
    ByteVector high10 = high(of, row + 1, column);
    ByteVector low11 = low(of, row + 1, column + 1);
    ByteVector high11 = high(of, row + 1, column + 1);
    ByteVector low12 = low(of, row + 1, column + 2);
    ByteVector high12 = high(of, row + 1, column + 2);
    boolean first = column == 0;
    for (int i = 0; i < bytes; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, input0, inAt + i);
      ByteVector xh0 = highPart(x0);
      ByteVector x1 = ByteVector.fromArray(SPECIES, input1, inAt + i);
      ByteVector xh1 = highPart(x1);
      ByteVector x2 = ByteVector.fromArray(SPECIES, input2, inAt + i);
      ByteVector xh2 = highPart(x2);
      ByteVector sum0 =
          add(
              add(product(x0, xh0, low00, high00), product(x1, xh1, low01, high01)),
              product(x2, xh2, low02, high02));
      put(sum0, first, output0, outAt + i);
      ByteVector sum1 =
          add(
              add(product(x0, xh0, low10, high10), product(x1, xh1, low11, high11)),
              product(x2, xh2, low12, high12));
      put(sum1, first, output1, outAt + i);
    }
  }

  private static void oneFromThree(
      Combination of,
      int row,
      int column,
      byte[][] inputs,
      int inAt,
      byte[][] outputs,
      int outAt,
      int bytes) {
    byte[] input0 = input(of, column, inputs);
    byte[] input1 = input(of, column + 1, inputs);
    byte[] input2 = input(of, column + 2, inputs);
    byte[] output0 = output(of, row, outputs);
    ByteVector low00 = low(of, row, column);
    ByteVector high00 = high(of, row, column);
    ByteVector low01 = low(of, row, column + 1);
    ByteVector high01 = high(of, row, column + 1);
    ByteVector low02 = low(of, row, column + 2);
    ByteVector high02 = high(of, row, column + 2);
    boolean first = column == 0;
    for (int i = 0; i < bytes; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, input0, inAt + i);
      ByteVector xh0 = highPart(x0);
      ByteVector x1 = ByteVector.fromArray(SPECIES, input1, inAt + i);
      ByteVector xh1 = highPart(x1);
      ByteVector x2 = ByteVector.fromArray(SPECIES, input2, inAt + i);
      ByteVector xh2 = highPart(x2);
      ByteVector sum0 =
          add(
              add(product(x0, xh0, low00, high00), product(x1, xh1, low01, high01)),
              product(x2, xh2, low02, high02));
      put(sum0, first, output0, outAt + i);
    }
  }

  private static void threeFromOne(
      Combination of,
      int row,
      int column,
      byte[][] inputs,
      int inAt,
      byte[][] outputs,
      int outAt,
      int bytes) {
    byte[] input0 = input(of, column, inputs);
    byte[] output0 = output(of, row, outputs);
    byte[] output1 = output(of, row + 1, outputs);
    byte[] output2 = output(of, row + 2, outputs);
    ByteVector low00 = low(of, row, column);
    ByteVector high00 = high(of, row, column);
    ByteVector low10 = low(of, row + 1, column);
    ByteVector high10 = high(of, row + 1, column);
    ByteVector low20 = low(of, row + 2, column);
    ByteVector high20 = high(of, row + 2, column);
    boolean first = column == 0;
    for (int i = 0; i < bytes; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, input0, inAt + i);
      ByteVector xh0 = highPart(x0);
      ByteVector sum0 = product(x0, xh0, low00, high00);
      put(sum0, first, output0, outAt + i);
      ByteVector sum1 = product(x0, xh0, low10, high10);
      put(sum1, first, output1, outAt + i);
      ByteVector sum2 = product(x0, xh0, low20, high20);
      put(sum2, first, output2, outAt + i);
    }
  }

  private static void twoFromOne(
      Combination of,
      int row,
      int column,
      byte[][] inputs,
      int inAt,
      byte[][] outputs,
      int outAt,
      int bytes) {
    byte[] input0 = input(of, column, inputs);
    byte[] output0 = output(of, row, outputs);
    byte[] output1 = output(of, row + 1, outputs);
    ByteVector low00 = low(of, row, column);
    ByteVector high00 = high(of, row, column);
    ByteVector low10 = low(of, row + 1, column);
    ByteVector high10 = high(of, row + 1, column);
    boolean first = column == 0;
    for (int i = 0; i < bytes; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, input0, inAt + i);
      ByteVector xh0 = highPart(x0);
      ByteVector sum0 = product(x0, xh0, low00, high00);
      put(sum0, first, output0, outAt + i);
      ByteVector sum1 = product(x0, xh0, low10, high10);
      put(sum1, first, output1, outAt + i);
    }
  }

  private static void oneFromOne(
      Combination of,
      int row,
      int column,
      byte[][] inputs,
      int inAt,
      byte[][] outputs,
      int outAt,
      int bytes) {
    byte[] input0 = input(of, column, inputs);
    byte[] output0 = output(of, row, outputs);
    ByteVector low00 = low(of, row, column);
    ByteVector high00 = high(of, row, column);
    boolean first = column == 0;
    for (int i = 0; i < bytes; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, input0, inAt + i);
      ByteVector xh0 = highPart(x0);
      ByteVector sum0 = product(x0, xh0, low00, high00);
      put(sum0, first, output0, outAt + i);
    }
  }

  private static byte[] input(Combination of, int column, byte[][] inputs) {
    return inputs[of.from[column]];
  }

  private static byte[] output(Combination of, int row, byte[][] outputs) {
    return outputs[of.into[row]];
  }

  /** The products of a coefficient with 0 to LANES - 1. */
  private static ByteVector low(Combination of, int row, int column) {
    return ByteVector.fromArray(
        SPECIES, GaloisField.PRODUCTS, of.coefficient(row, column) * GaloisField.ORDER);
  }

  /** The products of a coefficient with the multiples of LANES. */
  private static ByteVector high(Combination of, int row, int column) {
    return ByteVector.fromArray(SPECIES, HIGH, of.coefficient(row, column) * LANES);
  }

  private static ByteVector highPart(ByteVector x) {
    return x.lanewise(VectorOperators.LSHR, LOW_BITS);
  }

  private static ByteVector product(ByteVector x, ByteVector xh, ByteVector low, ByteVector high) {
    return add(x.selectFrom(low), xh.selectFrom(high));
  }

  private static ByteVector add(ByteVector a, ByteVector b) {
    return a.lanewise(VectorOperators.XOR, b);
  }

  /** The first inputs overwrite an output, later ones are added to it. */
  private static void put(ByteVector sum, boolean first, byte[] output, int at) {
    (first ? sum : add(sum, ByteVector.fromArray(SPECIES, output, at))).intoArray(output, at);
  }

  private static VectorSpecies<Byte> species() {
    try {
      int bits = MethodHandles.classData(MethodHandles.lookup(), "_", Integer.class);
      return switch (bits) {
        case 128 -> ByteVector.SPECIES_128;
        case 256 -> ByteVector.SPECIES_256;
        case 512 -> ByteVector.SPECIES_512;
        default -> throw new IllegalArgumentException("no byte vectors of " + bits + " bits");
      };
    } catch (IllegalAccessException impossible) {
      throw new AssertionError("a class may read its own class data", impossible);
    }
  }

  private static byte[] highProducts() {
    byte[] products = new byte[GaloisField.ORDER * LANES];
    for (int c = 0; c < GaloisField.ORDER; c++) {
      for (int i = 0; i < GaloisField.ORDER >> LOW_BITS; i++) {
        products[c * LANES + i] = (byte) GaloisField.multiply(c, i << LOW_BITS);
      }
    }
    return products;
  }
}
