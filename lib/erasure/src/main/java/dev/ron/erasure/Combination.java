package dev.ron.erasure;

/**
 * Shards in, shards out, and the coefficients between: output {@code into[r]} is the sum over c of
 * {@code coefficients[r * from.length + c]} times input {@code from[c]}.
 *
 * <p>Encoding and repair are both of this one shape; a kernel knows nothing else. The arrays are
 * not copied, because kernels read them in their loops; no code writes them.
 *
 * <p>Threading: immutable by convention, see above.
 */
final class Combination {
  final int[] from;
  final int[] into;
  final byte[] coefficients;

  Combination(int[] from, int[] into, byte[] coefficients) {
    if (coefficients.length != from.length * into.length) {
      throw new IllegalArgumentException(
          coefficients.length + " coefficients for " + into.length + " x " + from.length);
    }
    this.from = from;
    this.into = into;
    this.coefficients = coefficients;
  }

  int rows() {
    return into.length;
  }

  int columns() {
    return from.length;
  }

  int coefficient(int row, int column) {
    return coefficients[row * from.length + column] & 0xff;
  }
}
