package dev.ron.erasure;

/**
 * The field of 256 elements in which shards are added and multiplied.
 *
 * <p>A byte is a polynomial over GF(2), bit i the coefficient of x^i; products are taken modulo x^8
 * + x^4 + x^3 + x^2 + 1 (0x11d), of which x (2) is a generator. Addition is exclusive or. The
 * polynomial is the one most storage systems use, so that their shards and ours can meet.
 *
 * <p>Threading: immutable.
 */
final class GaloisField {
  static final int POLYNOMIAL = 0x11d;

  /** The number of elements. */
  static final int ORDER = 256;

  /**
   * All products: {@code PRODUCTS[a << 8 | b]} is a times b. 64 KiB, so that a row of 256 products
   * is one slice and a kernel needs no table per matrix.
   */
  static final byte[] PRODUCTS = new byte[ORDER * ORDER];

  private static final byte[] INVERSES = new byte[ORDER];

  static {
    for (int a = 0; a < ORDER; a++) {
      for (int b = 0; b < ORDER; b++) {
        int product = carrylessProduct(a, b);
        PRODUCTS[a << 8 | b] = (byte) product;
        if (product == 1) {
          INVERSES[a] = (byte) b;
        }
      }
    }
  }

  private GaloisField() {}

  static int multiply(int a, int b) {
    return PRODUCTS[a << 8 | b] & 0xff;
  }

  static int inverse(int a) {
    if (a == 0) {
      throw new ArithmeticException("0 has no inverse");
    }
    return INVERSES[a] & 0xff;
  }

  /**
   * For tables of {@code 1 << lowBits} entries: entry i of table c is c times (i shifted left by
   * {@code lowBits}), as far as that is a byte, and zero beyond.
   */
  static byte[] highProducts(int lowBits) {
    byte[] products = new byte[ORDER << lowBits];
    for (int c = 0; c < ORDER; c++) {
      for (int i = 0; i < ORDER >> lowBits; i++) {
        products[c << lowBits | i] = (byte) multiply(c, i << lowBits);
      }
    }
    return products;
  }

  /** The definition, shift by shift; everything else is looked up. */
  private static int carrylessProduct(int a, int b) {
    int product = 0;
    int shifted = a;
    for (int bits = b; bits != 0; bits >>= 1) {
      if ((bits & 1) != 0) {
        product ^= shifted;
      }
      shifted <<= 1;
      if (shifted >= ORDER) {
        shifted ^= POLYNOMIAL;
      }
    }
    return product;
  }
}
