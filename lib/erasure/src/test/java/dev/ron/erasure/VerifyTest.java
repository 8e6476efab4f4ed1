package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("kernels")
class VerifyTest {
  private static final int BYTES = 5000;

  private final Kernel kernel;

  VerifyTest(Kernel kernel) {
    this.kernel = kernel;
  }

  static List<Kernel> kernels() {
    return KernelChoice.available();
  }

  @ParameterizedTest
  @CsvSource({"1,1", "4,2", "6,3", "254,1", "1,254", "128,127"})
  void intactShardsAreIntact(int k, int m) {
    byte[][] shards = Samples.encoded(k, m, 300, 3);
    assertThat(new ReedSolomon(k, m, kernel).verify(shards, 0, 300).intact()).isTrue();
  }

  @Test
  void everySingleFlippedBitIsNoticedAndLocated() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] shards = Samples.encoded(6, 3, 70, 1);
    for (int shard = 0; shard < 9; shard++) {
      for (int bit = 0; bit < 70 * 8; bit++) {
        shards[shard][bit >> 3] ^= (byte) (1 << (bit & 7));
        assertThat(code.verify(shards, 0, 70)).isEqualTo(new Verdict.Corrupt(ShardSet.of(shard)));
        shards[shard][bit >> 3] ^= (byte) (1 << (bit & 7));
      }
    }
  }

  @Test
  void oneParityShardNoticesButCannotTell() {
    byte[][] shards = Samples.encoded(6, 1, BYTES, 1);
    shards[2][4999] ^= 1;
    assertThat(new ReedSolomon(6, 1, kernel).verify(shards, 0, BYTES))
        .isEqualTo(new Verdict.Ambiguous());
  }

  @Test
  void twoWrongShardsAreToldWhenTheirErrorsDoNotMeet() {
    byte[][] shards = Samples.encoded(6, 3, BYTES, 1);
    shards[2][10] ^= 1;
    shards[7][4500] ^= 4;
    assertThat(new ReedSolomon(6, 3, kernel).verify(shards, 0, BYTES))
        .isEqualTo(new Verdict.Corrupt(ShardSet.of(2, 7)));
  }

  @Test
  void threeChecksNeverBlameASinglePairWrongly() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] whole = Samples.encoded(6, 3, 40, 1);
    Random random = new Random(4);
    for (ShardSet pair : Samples.subsets(9, 2)) {
      if (pair.size() == 2) {
        byte[][] shards = Samples.copy(whole);
        for (int shard : pair.toArray()) {
          shards[shard][13] ^= (byte) (1 + random.nextInt(255));
        }
        // Distance 4: two errors at one offset are noticed, and never look like one.
        assertThat(code.verify(shards, 0, 40)).isEqualTo(new Verdict.Ambiguous());
      }
    }
  }

  @Test
  void fourChecksTellEveryPairApart() {
    ReedSolomon code = new ReedSolomon(5, 4, kernel);
    byte[][] whole = Samples.encoded(5, 4, 40, 1);
    Random random = new Random(4);
    for (ShardSet wrong : Samples.subsets(9, 2)) {
      byte[][] shards = Samples.copy(whole);
      for (int shard : wrong.toArray()) {
        for (int i = 0; i < 40; i++) {
          shards[shard][i] ^= (byte) (1 + random.nextInt(255));
        }
      }
      assertThat(code.verify(shards, 0, 40)).isEqualTo(new Verdict.Corrupt(wrong));
    }
  }

  @Test
  void absentShardsLeaveFewerChecks() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] shards = Samples.encoded(6, 3, 500, 1);
    ShardSet all = ShardSet.range(0, 9);
    shards[1] = null;
    assertThat(code.verify(shards, all.without(1), 0, 500).intact()).isTrue();
    shards[4][77] ^= 9;
    assertThat(code.verify(shards, all.without(1), 0, 500))
        .isEqualTo(new Verdict.Corrupt(ShardSet.of(4)));
    assertThat(code.verify(shards, all.without(1).without(8), 0, 500))
        .isEqualTo(new Verdict.Ambiguous());
    ShardSet six = ShardSet.range(2, 8);
    assertThatThrownBy(() -> code.verify(shards, six, 0, 500))
        .hasMessageContaining("more than 6 shards");
  }

  @Test
  void onlyTheRangeAskedForIsRead() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] shards = Samples.encoded(6, 3, 500, 1);
    shards[4][77] ^= 9;
    assertThat(code.verify(shards, 0, 77).intact()).isTrue();
    assertThat(code.verify(shards, 78, 422).intact()).isTrue();
    assertThat(code.verify(shards, 77, 1).intact()).isFalse();
  }

  @Test
  void segmentsAreVerifiedAlike() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] shards = Samples.encoded(6, 3, 9001, 1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] segments = Samples.offHeap(shards, arena);
      assertThat(code.verify(segments).intact()).isTrue();
      shards[5][9000] ^= 2;
      segments[5].copyFrom(MemorySegment.ofArray(shards[5]));
      assertThat(code.verify(segments)).isEqualTo(new Verdict.Corrupt(ShardSet.of(5)));
      segments[0] = null;
      assertThat(code.verify(segments, ShardSet.range(1, 9)))
          .isEqualTo(new Verdict.Corrupt(ShardSet.of(5)));
    }
  }
}
