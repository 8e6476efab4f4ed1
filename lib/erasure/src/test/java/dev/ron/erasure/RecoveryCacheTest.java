package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryCacheTest {
  private final CodingMatrix matrix = new CodingMatrix(6, 3);
  private final RecoveryCache cache = new RecoveryCache(matrix);

  @Test
  void aPatternIsSolvedOnce() {
    ShardSet present = ShardSet.range(1, 9);
    Combination first = cache.recovery(present, ShardSet.of(0));
    assertThat(cache.recovery(ShardSet.range(1, 9), ShardSet.of(0))).isSameAs(first);
  }

  @Test
  void patternsThatShareASlotAreNotConfused() {
    List<ShardSet> patterns = Samples.subsets(9, 3);
    assertThat(patterns).as("more patterns than slots").hasSizeGreaterThan(RecoveryCache.SLOTS);
    for (int pass = 0; pass < 2; pass++) {
      for (ShardSet lost : patterns) {
        ShardSet present = ShardSet.range(0, 9).minus(lost);
        Combination cached = cache.recovery(present, lost);
        Combination solved = matrix.recovery(present, lost);
        assertThat(cached.from).isEqualTo(solved.from);
        assertThat(cached.into).isEqualTo(solved.into);
        assertThat(cached.coefficients).isEqualTo(solved.coefficients);
      }
    }
  }
}
