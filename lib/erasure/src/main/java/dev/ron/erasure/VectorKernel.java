package dev.ron.erasure;

import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.XOR;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
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
 * three inputs each load and store of an output: more does not fit into 32 registers. The loops are
 * unrolled by hand and call the vector API directly, because small methods of our own are no longer
 * inlined once a method has grown to the compiler's limit of nodes; that cost a factor of eight.
 *
 * <p>This class is a template. The compiler makes good code only where the species is a constant,
 * so {@link KernelChoice} defines it once per vector width as a hidden class with the width as
 * class data. The template itself is never initialised, and must not contain lambdas or nested
 * classes.
 *
 * <p>Threading: immutable.
 */
final class VectorKernel implements Kernel {
  private static final VectorSpecies<Byte> SPECIES = species();
  private static final int LANES = SPECIES.length();
  private static final int LOW_BITS = Integer.numberOfTrailingZeros(LANES);
  private static final int GROUP = 3;

  /** {@code HIGH[c * LANES + i]} is c times (i shifted left by LOW_BITS). */
  private static final byte[] HIGH = GaloisField.highProducts(LOW_BITS);

  /** Nine such blocks, as of 6+3, fit into 32 KiB of first-level cache; 4 KiB measured slower. */
  private static final int BLOCK_BYTES = 2048;

  @Override
  public String name() {
    return "vector-" + SPECIES.vectorBitSize();
  }

  @Override
  public void apply(Combination of, byte[][] in, int inAt, byte[][] out, int outAt, int length) {
    int whole = SPECIES.loopBound(length);
    for (int at = 0; at < whole; at += BLOCK_BYTES) {
      int bytes = Math.min(BLOCK_BYTES, whole - at);
      for (int row = 0; row < of.rows(); row += GROUP) {
        rows(of, row, in, inAt + at, out, outAt + at, bytes);
      }
    }
    ScalarKernel.block(of, in, inAt + whole, out, outAt + whole, length - whole);
  }

  /** Up to three outputs from all inputs. */
  private static void rows(
      Combination of, int row, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    int rows = Math.min(GROUP, of.rows() - row);
    int col = 0;
    for (; col + GROUP <= of.columns(); col += GROUP) {
      switch (rows) {
        case 3 -> threeFromThree(of, row, col, in, inAt, out, outAt, n);
        case 2 -> twoFromThree(of, row, col, in, inAt, out, outAt, n);
        default -> oneFromThree(of, row, col, in, inAt, out, outAt, n);
      }
    }
    for (; col < of.columns(); col++) {
      switch (rows) {
        case 3 -> threeFromOne(of, row, col, in, inAt, out, outAt, n);
        case 2 -> twoFromOne(of, row, col, in, inAt, out, outAt, n);
        default -> oneFromOne(of, row, col, in, inAt, out, outAt, n);
      }
    }
  }

  private static void threeFromThree(
      Combination of, int row, int col, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    byte[] in0 = in[of.from[col]];
    byte[] in1 = in[of.from[col + 1]];
    byte[] in2 = in[of.from[col + 2]];
    byte[] out0 = out[of.into[row]];
    byte[] out1 = out[of.into[row + 1]];
    byte[] out2 = out[of.into[row + 2]];
    ByteVector low00 = low(of, row, col);
    ByteVector high00 = high(of, row, col);
    ByteVector low01 = low(of, row, col + 1);
    ByteVector high01 = high(of, row, col + 1);
    ByteVector low02 = low(of, row, col + 2);
    ByteVector high02 = high(of, row, col + 2);
    ByteVector low10 = low(of, row + 1, col);
    ByteVector high10 = high(of, row + 1, col);
    ByteVector low11 = low(of, row + 1, col + 1);
    ByteVector high11 = high(of, row + 1, col + 1);
    ByteVector low12 = low(of, row + 1, col + 2);
    ByteVector high12 = high(of, row + 1, col + 2);
    ByteVector low20 = low(of, row + 2, col);
    ByteVector high20 = high(of, row + 2, col);
    ByteVector low21 = low(of, row + 2, col + 1);
    ByteVector high21 = high(of, row + 2, col + 1);
    ByteVector low22 = low(of, row + 2, col + 2);
    ByteVector high22 = high(of, row + 2, col + 2);
    boolean first = col == 0;
    for (int i = 0; i < n; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, in0, inAt + i);
      ByteVector y0 = x0.lanewise(LSHR, LOW_BITS);
      ByteVector x1 = ByteVector.fromArray(SPECIES, in1, inAt + i);
      ByteVector y1 = x1.lanewise(LSHR, LOW_BITS);
      ByteVector x2 = ByteVector.fromArray(SPECIES, in2, inAt + i);
      ByteVector y2 = x2.lanewise(LSHR, LOW_BITS);
      ByteVector sum0 = x0.selectFrom(low00).lanewise(XOR, y0.selectFrom(high00));
      sum0 = sum0.lanewise(XOR, x1.selectFrom(low01)).lanewise(XOR, y1.selectFrom(high01));
      sum0 = sum0.lanewise(XOR, x2.selectFrom(low02)).lanewise(XOR, y2.selectFrom(high02));
      ByteVector sum1 = x0.selectFrom(low10).lanewise(XOR, y0.selectFrom(high10));
      sum1 = sum1.lanewise(XOR, x1.selectFrom(low11)).lanewise(XOR, y1.selectFrom(high11));
      sum1 = sum1.lanewise(XOR, x2.selectFrom(low12)).lanewise(XOR, y2.selectFrom(high12));
      ByteVector sum2 = x0.selectFrom(low20).lanewise(XOR, y0.selectFrom(high20));
      sum2 = sum2.lanewise(XOR, x1.selectFrom(low21)).lanewise(XOR, y1.selectFrom(high21));
      sum2 = sum2.lanewise(XOR, x2.selectFrom(low22)).lanewise(XOR, y2.selectFrom(high22));
      if (!first) {
        sum0 = sum0.lanewise(XOR, ByteVector.fromArray(SPECIES, out0, outAt + i));
        sum1 = sum1.lanewise(XOR, ByteVector.fromArray(SPECIES, out1, outAt + i));
        sum2 = sum2.lanewise(XOR, ByteVector.fromArray(SPECIES, out2, outAt + i));
      }
      sum0.intoArray(out0, outAt + i);
      sum1.intoArray(out1, outAt + i);
      sum2.intoArray(out2, outAt + i);
    }
  }

  private static void twoFromThree(
      Combination of, int row, int col, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    byte[] in0 = in[of.from[col]];
    byte[] in1 = in[of.from[col + 1]];
    byte[] in2 = in[of.from[col + 2]];
    byte[] out0 = out[of.into[row]];
    byte[] out1 = out[of.into[row + 1]];
    ByteVector low00 = low(of, row, col);
    ByteVector high00 = high(of, row, col);
    ByteVector low01 = low(of, row, col + 1);
    ByteVector high01 = high(of, row, col + 1);
    ByteVector low02 = low(of, row, col + 2);
    ByteVector high02 = high(of, row, col + 2);
    ByteVector low10 = low(of, row + 1, col);
    ByteVector high10 = high(of, row + 1, col);
    ByteVector low11 = low(of, row + 1, col + 1);
    ByteVector high11 = high(of, row + 1, col + 1);
    ByteVector low12 = low(of, row + 1, col + 2);
    ByteVector high12 = high(of, row + 1, col + 2);
    boolean first = col == 0;
    for (int i = 0; i < n; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, in0, inAt + i);
      ByteVector y0 = x0.lanewise(LSHR, LOW_BITS);
      ByteVector x1 = ByteVector.fromArray(SPECIES, in1, inAt + i);
      ByteVector y1 = x1.lanewise(LSHR, LOW_BITS);
      ByteVector x2 = ByteVector.fromArray(SPECIES, in2, inAt + i);
      ByteVector y2 = x2.lanewise(LSHR, LOW_BITS);
      ByteVector sum0 = x0.selectFrom(low00).lanewise(XOR, y0.selectFrom(high00));
      sum0 = sum0.lanewise(XOR, x1.selectFrom(low01)).lanewise(XOR, y1.selectFrom(high01));
      sum0 = sum0.lanewise(XOR, x2.selectFrom(low02)).lanewise(XOR, y2.selectFrom(high02));
      ByteVector sum1 = x0.selectFrom(low10).lanewise(XOR, y0.selectFrom(high10));
      sum1 = sum1.lanewise(XOR, x1.selectFrom(low11)).lanewise(XOR, y1.selectFrom(high11));
      sum1 = sum1.lanewise(XOR, x2.selectFrom(low12)).lanewise(XOR, y2.selectFrom(high12));
      if (!first) {
        sum0 = sum0.lanewise(XOR, ByteVector.fromArray(SPECIES, out0, outAt + i));
        sum1 = sum1.lanewise(XOR, ByteVector.fromArray(SPECIES, out1, outAt + i));
      }
      sum0.intoArray(out0, outAt + i);
      sum1.intoArray(out1, outAt + i);
    }
  }

  private static void oneFromThree(
      Combination of, int row, int col, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    byte[] in0 = in[of.from[col]];
    byte[] in1 = in[of.from[col + 1]];
    byte[] in2 = in[of.from[col + 2]];
    byte[] out0 = out[of.into[row]];
    ByteVector low00 = low(of, row, col);
    ByteVector high00 = high(of, row, col);
    ByteVector low01 = low(of, row, col + 1);
    ByteVector high01 = high(of, row, col + 1);
    ByteVector low02 = low(of, row, col + 2);
    ByteVector high02 = high(of, row, col + 2);
    boolean first = col == 0;
    for (int i = 0; i < n; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, in0, inAt + i);
      ByteVector y0 = x0.lanewise(LSHR, LOW_BITS);
      ByteVector x1 = ByteVector.fromArray(SPECIES, in1, inAt + i);
      ByteVector y1 = x1.lanewise(LSHR, LOW_BITS);
      ByteVector x2 = ByteVector.fromArray(SPECIES, in2, inAt + i);
      ByteVector y2 = x2.lanewise(LSHR, LOW_BITS);
      ByteVector sum0 = x0.selectFrom(low00).lanewise(XOR, y0.selectFrom(high00));
      sum0 = sum0.lanewise(XOR, x1.selectFrom(low01)).lanewise(XOR, y1.selectFrom(high01));
      sum0 = sum0.lanewise(XOR, x2.selectFrom(low02)).lanewise(XOR, y2.selectFrom(high02));
      if (!first) {
        sum0 = sum0.lanewise(XOR, ByteVector.fromArray(SPECIES, out0, outAt + i));
      }
      sum0.intoArray(out0, outAt + i);
    }
  }

  private static void threeFromOne(
      Combination of, int row, int col, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    byte[] in0 = in[of.from[col]];
    byte[] out0 = out[of.into[row]];
    byte[] out1 = out[of.into[row + 1]];
    byte[] out2 = out[of.into[row + 2]];
    ByteVector low00 = low(of, row, col);
    ByteVector high00 = high(of, row, col);
    ByteVector low10 = low(of, row + 1, col);
    ByteVector high10 = high(of, row + 1, col);
    ByteVector low20 = low(of, row + 2, col);
    ByteVector high20 = high(of, row + 2, col);
    boolean first = col == 0;
    for (int i = 0; i < n; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, in0, inAt + i);
      ByteVector y0 = x0.lanewise(LSHR, LOW_BITS);
      ByteVector sum0 = x0.selectFrom(low00).lanewise(XOR, y0.selectFrom(high00));
      ByteVector sum1 = x0.selectFrom(low10).lanewise(XOR, y0.selectFrom(high10));
      ByteVector sum2 = x0.selectFrom(low20).lanewise(XOR, y0.selectFrom(high20));
      if (!first) {
        sum0 = sum0.lanewise(XOR, ByteVector.fromArray(SPECIES, out0, outAt + i));
        sum1 = sum1.lanewise(XOR, ByteVector.fromArray(SPECIES, out1, outAt + i));
        sum2 = sum2.lanewise(XOR, ByteVector.fromArray(SPECIES, out2, outAt + i));
      }
      sum0.intoArray(out0, outAt + i);
      sum1.intoArray(out1, outAt + i);
      sum2.intoArray(out2, outAt + i);
    }
  }

  private static void twoFromOne(
      Combination of, int row, int col, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    byte[] in0 = in[of.from[col]];
    byte[] out0 = out[of.into[row]];
    byte[] out1 = out[of.into[row + 1]];
    ByteVector low00 = low(of, row, col);
    ByteVector high00 = high(of, row, col);
    ByteVector low10 = low(of, row + 1, col);
    ByteVector high10 = high(of, row + 1, col);
    boolean first = col == 0;
    for (int i = 0; i < n; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, in0, inAt + i);
      ByteVector y0 = x0.lanewise(LSHR, LOW_BITS);
      ByteVector sum0 = x0.selectFrom(low00).lanewise(XOR, y0.selectFrom(high00));
      ByteVector sum1 = x0.selectFrom(low10).lanewise(XOR, y0.selectFrom(high10));
      if (!first) {
        sum0 = sum0.lanewise(XOR, ByteVector.fromArray(SPECIES, out0, outAt + i));
        sum1 = sum1.lanewise(XOR, ByteVector.fromArray(SPECIES, out1, outAt + i));
      }
      sum0.intoArray(out0, outAt + i);
      sum1.intoArray(out1, outAt + i);
    }
  }

  private static void oneFromOne(
      Combination of, int row, int col, byte[][] in, int inAt, byte[][] out, int outAt, int n) {
    byte[] in0 = in[of.from[col]];
    byte[] out0 = out[of.into[row]];
    ByteVector low00 = low(of, row, col);
    ByteVector high00 = high(of, row, col);
    boolean first = col == 0;
    for (int i = 0; i < n; i += LANES) {
      ByteVector x0 = ByteVector.fromArray(SPECIES, in0, inAt + i);
      ByteVector y0 = x0.lanewise(LSHR, LOW_BITS);
      ByteVector sum0 = x0.selectFrom(low00).lanewise(XOR, y0.selectFrom(high00));
      if (!first) {
        sum0 = sum0.lanewise(XOR, ByteVector.fromArray(SPECIES, out0, outAt + i));
      }
      sum0.intoArray(out0, outAt + i);
    }
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

  private static VectorSpecies<Byte> species() {
    try {
      return VectorWidth.species(
          MethodHandles.classData(MethodHandles.lookup(), "_", Integer.class));
    } catch (IllegalAccessException impossible) {
      throw new AssertionError("a class may read its own class data", impossible);
    }
  }
}
