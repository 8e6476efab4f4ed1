package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("kernels")
class ReedSolomonTest {
  private final Kernel kernel;

  ReedSolomonTest(Kernel kernel) {
    this.kernel = kernel;
  }

  static List<Kernel> kernels() {
    return KernelChoice.available();
  }

  @ParameterizedTest
  @CsvSource({"6,3,129", "4,2,21"})
  void everyLossOfUpToParityManyShardsIsRepaired(int k, int m, int patterns) {
    ReedSolomon code = new ReedSolomon(k, m, kernel);
    byte[][] whole = Samples.encoded(k, m, 333, k);
    List<ShardSet> losses = Samples.subsets(k + m, m);
    assertThat(losses).hasSize(patterns);
    for (ShardSet lost : losses) {
      checkRepair(code, whole, lost, lost);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,1,1000",
    "1,254,65",
    "254,1,65",
    "128,127,65",
    "2,1,77",
    "3,5,4099",
    "10,4,4099",
    "17,3,515"
  })
  void randomLossesOfOtherShapesAreRepaired(int k, int m, int bytes) {
    ReedSolomon code = new ReedSolomon(k, m, kernel);
    byte[][] whole = Samples.encoded(k, m, bytes, k * 1000L + m);
    Random random = new Random(m);
    for (int round = 0; round < 6; round++) {
      int losses = round == 0 ? m : 1 + random.nextInt(m);
      ShardSet lost = Samples.randomSubset(k + m, losses, random);
      checkRepair(code, whole, lost, lost);
    }
  }

  @Test
  void repairOfOneShardTouchesNoOther() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] whole = Samples.encoded(6, 3, 100, 1);
    for (ShardSet lost : Samples.subsets(9, 3)) {
      for (int shard : lost.toArray()) {
        checkRepair(code, whole, lost, ShardSet.of(shard));
      }
    }
  }

  @Test
  void onlyTheRangeAskedForIsWritten() {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] whole = Samples.encoded(6, 3, 300, 2);
    byte[][] shards = Samples.copy(whole);
    shards[4] = new byte[300];
    code.reconstruct(shards, ShardSet.range(0, 9).minus(ShardSet.of(4)), ShardSet.of(4), 70, 101);
    byte[] expected = new byte[300];
    System.arraycopy(whole[4], 70, expected, 70, 101);
    assertThat(shards[4]).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "4095", "4096", "4097", "10001"})
  void segmentsOffHeapGiveTheSameBytesAsArrays(int bytes) {
    ReedSolomon code = new ReedSolomon(6, 3, kernel);
    byte[][] whole = Samples.encoded(6, 3, bytes, bytes);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] segments = Samples.offHeap(whole, arena);
      segments[6].fill((byte) 1);
      segments[7].fill((byte) 1);
      segments[8].fill((byte) 1);
      code.encode(segments);
      checkSame(segments, whole);

      segments[0].fill((byte) 1);
      segments[7].fill((byte) 1);
      ShardSet lost = ShardSet.of(0, 7);
      code.reconstruct(segments, ShardSet.range(0, 9).minus(lost), lost);
      checkSame(segments, whole);
    }
  }

  @Test
  void segmentsMayBeSlicesOfOneBuffer() {
    ReedSolomon code = new ReedSolomon(4, 2, kernel);
    byte[][] whole = Samples.encoded(4, 2, 500, 9);
    MemorySegment buffer = MemorySegment.ofArray(new byte[6 * 500]);
    MemorySegment[] slices = new MemorySegment[6];
    for (int i = 0; i < 6; i++) {
      slices[i] = buffer.asSlice(i * 500L, 500);
    }
    for (int i = 0; i < 4; i++) {
      slices[i].copyFrom(MemorySegment.ofArray(whole[i]));
    }
    code.encode(slices);
    checkSame(slices, whole);
  }

  @Test
  void misuseIsRefusedBeforeAnythingIsWritten() {
    ReedSolomon code = new ReedSolomon(4, 2, kernel);
    byte[][] shards = new byte[6][10];
    ShardSet all = ShardSet.range(0, 6);
    assertThatThrownBy(() -> code.encode(new byte[5][10], 0, 10))
        .hasMessageContaining("5 shards, not 6");
    assertThatThrownBy(() -> code.encode(shards, 5, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> code.encode(shards, -1, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> code.reconstruct(shards, all, ShardSet.of(2), 0, 10))
        .hasMessageContaining("wanted [2] but present are");
    assertThatThrownBy(() -> code.reconstruct(shards, all, ShardSet.of(6), 0, 10))
        .hasMessageContaining("[6] of 6 shards");
    assertThatThrownBy(() -> code.reconstruct(shards, ShardSet.of(0, 1, 2), ShardSet.of(4), 0, 10))
        .hasMessageContaining("need 4 shards, have 3");
    MemorySegment[] uneven = new MemorySegment[6];
    Arrays.setAll(uneven, i -> MemorySegment.ofArray(new byte[i == 5 ? 9 : 10]));
    assertThatThrownBy(() -> code.encode(uneven)).hasMessageContaining("shard 5 has 9 bytes");
  }

  private void checkRepair(ReedSolomon code, byte[][] whole, ShardSet lost, ShardSet wanted) {
    byte[][] shards = new byte[whole.length][];
    for (int i = 0; i < whole.length; i++) {
      // What is neither present nor wanted is null: touching it would throw.
      if (!lost.contains(i)) {
        shards[i] = whole[i].clone();
      } else if (wanted.contains(i)) {
        shards[i] = new byte[whole[i].length];
        Arrays.fill(shards[i], (byte) 0x5a);
      }
    }
    ShardSet present = ShardSet.range(0, whole.length).minus(lost);
    code.reconstruct(shards, present, wanted, 0, whole[0].length);
    for (int i = 0; i < whole.length; i++) {
      if (shards[i] != null) {
        assertThat(shards[i]).as("shard %d, lost %s", i, lost).isEqualTo(whole[i]);
      }
    }
  }

  private static void checkSame(MemorySegment[] segments, byte[][] expected) {
    for (int i = 0; i < segments.length; i++) {
      assertThat(segments[i].toArray(ValueLayout.JAVA_BYTE))
          .as("shard %d", i)
          .isEqualTo(expected[i]);
    }
  }
}
