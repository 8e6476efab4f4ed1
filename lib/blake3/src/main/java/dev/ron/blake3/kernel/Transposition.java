package dev.ron.blake3.kernel;

import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The constants of a transposition between rows and lanes. Stage d exchanges, between rows i and i
 * + d, the lanes whose bit d differs: turn one row by d lanes, then blend by that bit.
 *
 * <p>Needs jdk.incubator.vector; only {@code VectorLanes} names it.
 *
 * <p>Threading: stateless.
 */
final class Transposition {
  private Transposition() {}

  /** Lane i takes lane i + by, round the end. */
  static VectorShuffle<Integer> turn(VectorSpecies<Integer> species, int by) {
    int[] from = new int[species.length()];
    for (int i = 0; i < from.length; i++) {
      from[i] = (i + by) & (from.length - 1);
    }
    return VectorShuffle.fromArray(species, from, 0);
  }

  /** The lanes that have this bit in their number. */
  static VectorMask<Integer> high(VectorSpecies<Integer> species, int bit) {
    boolean[] set = new boolean[species.length()];
    for (int i = 0; i < set.length; i++) {
      set[i] = (i & bit) != 0;
    }
    return VectorMask.fromArray(species, set, 0);
  }
}
