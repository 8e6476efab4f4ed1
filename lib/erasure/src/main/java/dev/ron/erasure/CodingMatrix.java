package dev.ron.erasure;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The generator matrix: which multiples of the data shards add up to each shard.
 *
 * <p>Shards 0 to k-1 are the data themselves. Shard i, for i from k to k+m-1, is the sum over j of
 * data shard j times 1 / (i xor j), in {@link GaloisField}. That is a Cauchy matrix with the points
 * i and j: i xor j is never zero because the two ranges do not meet, and every square submatrix of
 * a Cauchy matrix can be inverted, so that any k shards give back the data for every k + m up to
 * 255. (A plain Vandermonde matrix under an identity lacks that property for some k and m.)
 *
 * <p>It is the matrix of ISA-L's {@code gf_gen_cauchy1_matrix} and of Hadoop's {@code rs} codec, so
 * that either can read our shards.
 *
 * <p>Threading: immutable.
 */
final class CodingMatrix {
  private final int dataShards;
  private final int parityShards;

  CodingMatrix(int dataShards, int parityShards) {
    if (dataShards < 1 || parityShards < 1 || dataShards + parityShards > ShardSet.SHARDS_MAX) {
      throw new IllegalArgumentException(
          "shards must be at least 1+1 and at most 255 together, not "
              + dataShards
              + "+"
              + parityShards);
    }
    this.dataShards = dataShards;
    this.parityShards = parityShards;
  }

  int coefficient(int shard, int dataShard) {
    if (shard < dataShards) {
      return shard == dataShard ? 1 : 0;
    }
    return GaloisField.inverse(shard ^ dataShard);
  }

  /** All parity from all data. */
  Combination parity() {
    int[] from = IntStream.range(0, dataShards).toArray();
    int[] into = IntStream.range(dataShards, dataShards + parityShards).toArray();
    byte[] coefficients = new byte[into.length * from.length];
    for (int row = 0; row < into.length; row++) {
      for (int column = 0; column < from.length; column++) {
        coefficients[row * from.length + column] = (byte) coefficient(into[row], column);
      }
    }
    return new Combination(from, into, coefficients);
  }

  /**
   * The wanted shards from the first k present ones.
   *
   * <p>Only as many equations are solved as data shards are missing among those k: with e of them
   * missing, e parity shards stand in. The parity equations, restricted to the missing columns, are
   * an e by e matrix A; A's inverse turns "parity minus what the present data contribute" into the
   * missing data. For a single loss that is one division, whatever k is.
   */
  Combination recovery(ShardSet present, ShardSet wanted) {
    int[] from = basis(present);
    int[] missing =
        IntStream.range(0, dataShards).filter(shard -> !contains(from, shard)).toArray();
    int[][] solved = solve(from, missing);
    int[] into = wanted.toArray();
    byte[] coefficients = new byte[into.length * from.length];
    for (int row = 0; row < into.length; row++) {
      for (int column = 0; column < from.length; column++) {
        int sum = directShare(into[row], from[column]);
        for (int i = 0; i < missing.length; i++) {
          sum ^= GaloisField.multiply(coefficient(into[row], missing[i]), solved[i][column]);
        }
        coefficients[row * from.length + column] = (byte) sum;
      }
    }
    return new Combination(from, into, coefficients);
  }

  /** The first k present shards: data before parity, since data need no arithmetic. */
  private int[] basis(ShardSet present) {
    int[] from = IntStream.of(present.toArray()).limit(dataShards).toArray();
    if (from.length < dataShards) {
      throw new IllegalArgumentException(
          "need " + dataShards + " shards, have " + from.length + ": " + present);
    }
    return from;
  }

  /** What a present data shard contributes to {@code shard} beside the missing ones. */
  private int directShare(int shard, int present) {
    return present < dataShards ? coefficient(shard, present) : 0;
  }

  /** Row i: missing data shard i as a combination of the shards in {@code from}. */
  private int[][] solve(int[] from, int[] missing) {
    int data = from.length - missing.length;
    int[][] square = new int[missing.length][missing.length];
    int[][] right = new int[missing.length][from.length];
    for (int row = 0; row < missing.length; row++) {
      int parity = from[data + row];
      for (int column = 0; column < missing.length; column++) {
        square[row][column] = coefficient(parity, missing[column]);
      }
      for (int column = 0; column < data; column++) {
        right[row][column] = coefficient(parity, from[column]);
      }
      right[row][data + row] = 1;
    }
    eliminate(square, right);
    return right;
  }

  /**
   * Gauss and Jordan: turns {@code square} into the identity and does the same to {@code right}. No
   * row exchange is needed: every leading submatrix of a Cauchy matrix is itself Cauchy, hence no
   * pivot is ever zero ({@link GaloisField#inverse} would throw).
   */
  private static void eliminate(int[][] square, int[][] right) {
    for (int pivot = 0; pivot < square.length; pivot++) {
      int scale = GaloisField.inverse(square[pivot][pivot]);
      scale(square[pivot], scale);
      scale(right[pivot], scale);
      for (int row = 0; row < square.length; row++) {
        int factor = square[row][pivot];
        if (row != pivot && factor != 0) {
          addMultiple(square[row], square[pivot], factor);
          addMultiple(right[row], right[pivot], factor);
        }
      }
    }
  }

  private static void scale(int[] row, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] = GaloisField.multiply(row[i], factor);
    }
  }

  private static void addMultiple(int[] row, int[] other, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] ^= GaloisField.multiply(other[i], factor);
    }
  }

  private static boolean contains(int[] sorted, int value) {
    return Arrays.binarySearch(sorted, value) >= 0;
  }
}
