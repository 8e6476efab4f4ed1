package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kernel owes its callers. The expected bytes come from bitwise multiplication. */
@ParameterizedClass
@MethodSource("kernels")
class KernelContractTest {
  static final List<Integer> LENGTHS =
      List.of(0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 2047, 2048, 2049, 2048 + 65, 4097);

  private final Kernel kernel;

  KernelContractTest(Kernel kernel) {
    this.kernel = kernel;
  }

  static List<Kernel> kernels() {
    return KernelChoice.available();
  }

  @ParameterizedTest
  @FieldSource("LENGTHS")
  void everyLengthComesOutRight(int length) {
    check(3, 6, length, 0, 0, length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyNumberOfOutputsAndInputsComesOutRight(int rows) {
    for (int columns = 1; columns <= 8; columns++) {
      check(rows, columns, 200, 0, 0, rows * 100 + columns);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 100})
  void offsetsOfInputsAndOutputsAreIndependent(int offset) {
    check(3, 6, 333, offset, 0, offset);
    check(3, 6, 333, 0, offset, offset);
    check(2, 5, 333, offset, 2 * offset, offset);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 128, 192})
  void everyCoefficientTimesEveryByteComesOutRight(int coefficients0) {
    byte[][] inputs = new byte[1][256];
    for (int i = 0; i < 256; i++) {
      inputs[0][i] = (byte) i;
    }
    for (int c = coefficients0; c < coefficients0 + 64; c++) {
      byte[][] outputs = new byte[1][256];
      Combination times = new Combination(new int[] {0}, new int[] {0}, new byte[] {(byte) c});
      kernel.apply(times, inputs, 0, outputs, 0, 256);
      for (int i = 0; i < 256; i++) {
        assertThat(outputs[0][i] & 0xff).as("%d * %d", c, i).isEqualTo(bitwiseProduct(c, i));
      }
    }
  }

  /** The compiler rewrites a kernel after some thousand rounds; what it makes must be right too. */
  @ParameterizedTest
  @CsvSource({"3,7", "2,7", "1,7"})
  void compiledCodeComesOutRight(int rows, int columns) {
    byte[][] inputs = Samples.random(columns, 4096 + 5, rows);
    byte[][] outputs = new byte[rows][4096 + 5];
    byte[][] expected = new byte[rows][4096 + 5];
    byte[] coefficients = Samples.random(1, rows * columns, rows)[0];
    Combination combination =
        new Combination(
            IntStream.range(0, columns).toArray(),
            IntStream.range(0, rows).toArray(),
            coefficients);
    new ScalarKernel().apply(combination, inputs, 0, expected, 0, 4096 + 5);
    for (int round = 0; round < 3000; round++) {
      kernel.apply(combination, inputs, 0, outputs, 0, 4096 + 5);
      assertThat(Arrays.deepEquals(outputs, expected)).as("round %d", round).isTrue();
    }
  }

  private void check(int rows, int columns, int length, int inAt, int outAt, long seed) {
    Random random = new Random(seed);
    byte[][] inputs = Samples.random(columns, inAt + length + 9, seed);
    byte[][] outputs = Samples.random(rows, outAt + length + 9, seed + 1);
    byte[] coefficients = new byte[rows * columns];
    random.nextBytes(coefficients);
    // Numbered backwards, so that a kernel which ignores the indices is caught.
    int[] from = IntStream.range(0, columns).map(i -> columns - 1 - i).toArray();
    int[] into = IntStream.range(0, rows).map(i -> rows - 1 - i).toArray();
    byte[][] expected = Samples.copy(outputs);
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < length; i++) {
        int sum = 0;
        for (int c = 0; c < columns; c++) {
          int x = inputs[from[c]][inAt + i] & 0xff;
          sum ^= bitwiseProduct(coefficients[r * columns + c] & 0xff, x);
        }
        expected[into[r]][outAt + i] = (byte) sum;
      }
    }
    byte[][] inputsBefore = Samples.copy(inputs);

    Combination combination = new Combination(from, into, coefficients);
    kernel.apply(combination, inputs, inAt, outputs, outAt, length);

    assertThat(outputs).as("%s seed %d", kernel.name(), seed).isDeepEqualTo(expected);
    assertThat(inputs).isDeepEqualTo(inputsBefore);
  }

  /** From the top bit down, unlike the code under test. */
  private static int bitwiseProduct(int a, int b) {
    int product = 0;
    for (int bit = 7; bit >= 0; bit--) {
      product = (product << 1) ^ ((product & 0x80) != 0 ? 0x11d : 0);
      if ((b >> bit & 1) != 0) {
        product ^= a;
      }
    }
    return product;
  }
}
