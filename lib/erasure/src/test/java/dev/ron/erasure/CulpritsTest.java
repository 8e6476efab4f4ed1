package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CulpritsTest {
  @Test
  void aSearchTooWideGivesUpInsteadOfStalling() {
    int k = 100;
    int m = 100;
    byte[][] shards = Samples.encoded(k, m, 1, 1);
    Random random = new Random(2);
    for (int shard : Samples.randomSubset(k + m, 40, random).toArray()) {
      shards[shard][0] ^= (byte) (1 + random.nextInt(255));
    }
    assertThat(new ReedSolomon(k, m, new ScalarKernel()).verify(shards, 0, 1))
        .isEqualTo(new Verdict.Ambiguous());
  }
}
