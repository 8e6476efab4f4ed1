package dev.ron.checksum;

/**
 * The polynomial of a reflected CRC, and arithmetic modulo it.
 *
 * <p>Appending n bytes multiplies a CRC by x to the power of 8n. So the CRC of two halves follows
 * from theirs and the second one's length, in as many multiplications as the length has bits, and
 * no byte is read again. Ones in and ones out cancel in the sum.
 *
 * <p>Threading: immutable.
 */
record CrcPolynomial(long reflected, int width) {
  static final CrcPolynomial CRC32 = new CrcPolynomial(0xedb88320L, 32);
  static final CrcPolynomial CRC32C = new CrcPolynomial(0x82f63b78L, 32);
  static final CrcPolynomial CRC64NVME = new CrcPolynomial(Crc64Nvme.POLYNOMIAL, 64);

  /** The CRC of {@code first} followed by {@code second}, which has {@code secondBytes} bytes. */
  long combine(long first, long second, long secondBytes) {
    if (secondBytes < 0) {
      throw new IllegalArgumentException("a length of " + secondBytes);
    }
    return times(first, power(secondBytes)) ^ second;
  }

  /** x to the power of 8n; in a reflected CRC the highest bit is x to the power of 0. */
  private long power(long bytes) {
    long result = 1L << (width - 1);
    long square = 1L << (width - 1 - 8);
    for (long left = bytes; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        result = times(result, square);
      }
      square = times(square, square);
    }
    return result;
  }

  private long times(long a, long b) {
    long product = 0;
    long shifted = b;
    for (int bit = width - 1; bit >= 0; bit--) {
      if ((a >>> bit & 1) != 0) {
        product ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : shifted >>> 1 ^ reflected;
    }
    return product;
  }
}
