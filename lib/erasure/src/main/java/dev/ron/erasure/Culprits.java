package dev.ron.erasure;

import java.util.Arrays;

/**
 * Finds the shards that are wrong from what the checks say.
 *
 * <p>The syndrome of an offset is, per check shard, the difference between its byte and the byte
 * the other shards say it should have. A set of shards explains a syndrome when some errors in just
 * those shards would produce it. The code's distance is r + 1 with r checks, so that at most one
 * set of up to r/2 shards explains a given syndrome: the smallest one found is the truth, unless
 * more than r/2 shards are wrong at that offset.
 *
 * <p>Threading: owned by the call that verifies.
 */
final class Culprits {
  /**
   * Sets tried before giving up. All pairs of 255 shards are 32,385; the search for triples of
   * large codes must not turn a scrub into a stall.
   */
  private static final int TRIES_MAX = 50_000;

  private final Combination checks;
  private final int wrongMax;
  private int triesLeft = TRIES_MAX;
  private ShardSet found = ShardSet.empty();
  private boolean told = true;

  /** With {@code checks.from} the shards that are read and {@code checks.into} those compared. */
  Culprits(Combination checks) {
    this.checks = checks;
    this.wrongMax = checks.rows() / 2;
  }

  /** One offset's syndrome, not all zero. */
  void examine(int[] syndrome) {
    if (!told || (found.size() <= wrongMax && explains(found, syndrome))) {
      return;
    }
    for (int size = 1; size <= wrongMax; size++) {
      if (search(syndrome, ShardSet.empty(), size, 0)) {
        return;
      }
    }
    told = false;
  }

  boolean told() {
    return told;
  }

  Verdict verdict() {
    return told ? new Verdict.Corrupt(found) : new Verdict.Ambiguous();
  }

  /** Tries every set that adds {@code more} shards, at or after {@code next}, to {@code chosen}. */
  private boolean search(int[] syndrome, ShardSet chosen, int more, int next) {
    if (more == 0) {
      if (triesLeft-- > 0 && explains(chosen, syndrome)) {
        found = found.plus(chosen);
        return true;
      }
      return false;
    }
    int shards = checks.columns() + checks.rows();
    for (int i = next; i <= shards - more && triesLeft > 0; i++) {
      if (search(syndrome, chosen.with(shard(i)), more - 1, i + 1)) {
        return true;
      }
    }
    return false;
  }

  private int shard(int i) {
    return i < checks.columns() ? checks.from[i] : checks.into[i - checks.columns()];
  }

  /**
   * Whether the checks outside the suspects agree on one error per suspect: a linear system,
   * solvable or not. A suspected check says nothing, since its own error explains any difference.
   */
  private boolean explains(ShardSet suspects, int[] syndrome) {
    int[] columns = columnsOf(suspects);
    int[][] equations = new int[checks.rows()][];
    int count = 0;
    for (int row = 0; row < checks.rows(); row++) {
      if (!suspects.contains(checks.into[row])) {
        int[] equation = new int[columns.length + 1];
        for (int i = 0; i < columns.length; i++) {
          equation[i] = checks.coefficient(row, columns[i]);
        }
        equation[columns.length] = syndrome[row];
        equations[count++] = equation;
      }
    }
    return solvable(Arrays.copyOf(equations, count), columns.length);
  }

  private int[] columnsOf(ShardSet suspects) {
    int[] columns = new int[checks.columns()];
    int count = 0;
    for (int column = 0; column < checks.columns(); column++) {
      if (suspects.contains(checks.from[column])) {
        columns[count++] = column;
      }
    }
    return Arrays.copyOf(columns, count);
  }

  /**
   * Eliminates the unknowns one by one; the equations left over must read 0 = 0. No exchange of
   * rows: square submatrices of the checks are invertible, so that pivots are never zero while
   * equations last, and there are at least as many equations as suspects.
   */
  private static boolean solvable(int[][] equations, int unknowns) {
    for (int pivot = 0; pivot < unknowns; pivot++) {
      int inverse = GaloisField.inverse(equations[pivot][pivot]);
      for (int row = pivot + 1; row < equations.length; row++) {
        int factor = GaloisField.multiply(equations[row][pivot], inverse);
        for (int i = pivot; i <= unknowns; i++) {
          equations[row][i] ^= GaloisField.multiply(equations[pivot][i], factor);
        }
      }
    }
    for (int row = unknowns; row < equations.length; row++) {
      if (equations[row][unknowns] != 0) {
        return false;
      }
    }
    return true;
  }
}
