package dev.ron.erasure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares shards, block by block, with what the others say they should be.
 *
 * <p>Threading: owned by the call that verifies.
 */
final class Verification {
  private final Kernel kernel;
  private final Combination checks;
  private final byte[][] computed;

  /** Null until the first difference: intact shards are the rule and cost no search. */
  private @Nullable Culprits culprits;

  Verification(Kernel kernel, Combination checks, byte[][] computed) {
    this.kernel = kernel;
    this.checks = checks;
    this.computed = computed;
  }

  void block(byte[][] shards, int at, int bytes) {
    kernel.apply(checks, shards, at, computed, 0, bytes);
    int from = bytes;
    for (int shard : checks.into) {
      int mismatch = Arrays.mismatch(shards[shard], at, at + bytes, computed[shard], 0, bytes);
      if (mismatch >= 0) {
        from = Math.min(from, mismatch);
      }
    }
    if (from < bytes) {
      examine(shards, at, from, bytes);
    }
  }

  /** Nothing further can be learnt. */
  boolean settled() {
    return culprits != null && !culprits.told();
  }

  Verdict verdict() {
    return culprits == null ? new Verdict.Intact() : culprits.verdict();
  }

  private void examine(byte[][] shards, int at, int from, int bytes) {
    Culprits search = culprits == null ? new Culprits(checks) : culprits;
    culprits = search;
    int[] syndrome = new int[checks.rows()];
    for (int i = from; i < bytes && search.told(); i++) {
      int any = 0;
      for (int row = 0; row < syndrome.length; row++) {
        int shard = checks.into[row];
        syndrome[row] = (shards[shard][at + i] ^ computed[shard][i]) & 0xff;
        any |= syndrome[row];
      }
      if (any != 0) {
        search.examine(syndrome);
      }
    }
  }
}
