package dev.ron.bench.compute;

/**
 * Reed-Solomon parity as one writes it first: a byte at a time, one look into a table of products
 * each.
 *
 * <p>The same code as {@code dev.ron.erasure}, GF(2^8) modulo 0x11d with Cauchy rows, so that the
 * parity must come out equal; written anew, so that it is a witness too.
 *
 * <p>Threading: immutable.
 */
final class PlainParity {
  private static final int POLYNOMIAL = 0x11d;
  private static final int ELEMENTS = 256;

  private final int dataShards;

  /** For each parity shard and data shard the 256 products of its coefficient. */
  private final byte[][][] products;

  PlainParity(int dataShards, int parityShards) {
    this.dataShards = dataShards;
    this.products = new byte[parityShards][dataShards][ELEMENTS];
    for (int row = 0; row < parityShards; row++) {
      for (int shard = 0; shard < dataShards; shard++) {
        int coefficient = inverse((dataShards + row) ^ shard);
        for (int value = 0; value < ELEMENTS; value++) {
          products[row][shard][value] = (byte) product(coefficient, value);
        }
      }
    }
  }

  void encode(byte[][] shards) {
    for (int row = 0; row < products.length; row++) {
      byte[] parity = shards[dataShards + row];
      for (int shard = 0; shard < dataShards; shard++) {
        add(shards[shard], products[row][shard], parity, shard == 0);
      }
    }
  }

  private static void add(byte[] data, byte[] product, byte[] parity, boolean first) {
    for (int i = 0; i < parity.length; i++) {
      int sum = first ? 0 : parity[i];
      parity[i] = (byte) (sum ^ product[data[i] & 0xff]);
    }
  }

  /** Shift and add, taking the polynomial off whenever a ninth bit appears. */
  static int product(int a, int b) {
    int sum = 0;
    int shifted = a;
    for (int rest = b; rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) {
        sum ^= shifted;
      }
      shifted <<= 1;
      if (shifted >= ELEMENTS) {
        shifted ^= POLYNOMIAL;
      }
    }
    return sum;
  }

  private static int inverse(int a) {
    for (int candidate = 1; candidate < ELEMENTS; candidate++) {
      if (product(a, candidate) == 1) {
        return candidate;
      }
    }
    throw new IllegalArgumentException(a + " has no inverse");
  }
}
