package dev.ron.blake3.bao;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Inputs;
import dev.ron.blake3.Oracles;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An outboard has the root of its input, opens again, and finds every change. */
class OutboardTest {
  private static final int[] LENGTHS = {
    0, 1, 1024, 65_535, 65_536, 65_537, 131_072, 131_073, 196_608, 196_609, 1_000_000
  };

  private static Outboard outboard(byte[] in) {
    return new OutboardBuilder().update(in).build();
  }

  /** The first group that does not match, or -1. */
  private static long mismatch(Outboard outboard, byte[] in) {
    for (long group = 0; group < outboard.groups(); group++) {
      int at = (int) group * HashTree.GROUP_BYTES;
      if (!outboard.matches(group, in, at, outboard.groupBytes(group))) {
        return group;
      }
    }
    return -1;
  }

  @Test
  void theRootIsTheHash() {
    for (int length : LENGTHS) {
      byte[] in = Inputs.random(length, length);
      Outboard built = outboard(in);
      assertThat(built.root()).as("%d bytes", length).isEqualTo(Oracles.commons(in, length));
      assertThat(built.stored()).hasSize((int) Outboard.storedBytes(length));
      Outboard opened = Outboard.open(built.root(), length, built.stored()).orThrow();
      assertThat(opened.root()).isEqualTo(built.root());
      assertThat(opened.stored()).isEqualTo(built.stored());
    }
  }

  @Test
  void piecesOfAnySizeBuildTheSame() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] in = Inputs.random(seed, 500_000);
    for (int round = 0; round < 10; round++) {
      OutboardBuilder builder = new OutboardBuilder();
      for (int at = 0; at < in.length; ) {
        int n = Math.min(in.length - at, random.nextInt(150_000));
        builder.update(in, at, n);
        at += n;
        assertThat(builder.lengthBytes()).isEqualTo(at);
      }
      assertThat(builder.build().stored()).as("seed %d", seed).isEqualTo(outboard(in).stored());
    }
  }

  @Test
  void whatWasHashedMatches() {
    for (int length : LENGTHS) {
      byte[] in = Inputs.random(length, length);
      assertThat(mismatch(outboard(in), in)).as("%d bytes", length).isEqualTo(-1);
    }
  }

  @Test
  void anyFlippedBitOfSmallDataIsRefused() {
    byte[] in = Inputs.random(5, 1500);
    Outboard outboard = outboard(in);
    for (long bit = 0; bit < 8L * in.length; bit++) {
      assertThat(mismatch(outboard, Inputs.flipped(in, bit))).as("bit %d", bit).isZero();
    }
  }

  @Test
  void anyFlippedBitOfLargeDataIsRefusedAndOnlyItsGroup() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] in = Inputs.random(seed, 300_000);
    Outboard outboard = outboard(in);
    for (int i = 0; i < 100; i++) {
      long bit = random.nextLong(8L * in.length);
      assertThat(mismatch(outboard, Inputs.flipped(in, bit)))
          .as("bit %d, seed %d", bit, seed)
          .isEqualTo(bit / 8 / HashTree.GROUP_BYTES);
    }
  }

  @Test
  void anyFlippedBitOfTheOutboardIsRefused() {
    for (int length : new int[] {65_537, 200_000, 400_000}) {
      Outboard outboard = outboard(Inputs.random(length, length));
      byte[] stored = outboard.stored();
      for (long bit = 0; bit < 8L * stored.length; bit++) {
        var answer = Outboard.open(outboard.root(), length, Inputs.flipped(stored, bit));
        assertThat(answer.isGood()).as("bit %d of %d", bit, length).isFalse();
      }
    }
  }

  @Test
  void anOutboardOfAnotherLengthOrRootIsRefused() {
    byte[] in = Inputs.random(6, 200_000);
    Outboard good = outboard(in);
    byte[] stored = good.stored();
    Hash other = Blake3.hash(new byte[1]);
    assertThat(Outboard.open(good.root(), 300_000, stored))
        .isEqualTo(CheckResult.bad(new Blake3Fault.Truncated(stored.length)));
    assertThat(Outboard.open(good.root(), 100_000, stored))
        .isEqualTo(CheckResult.bad(new Blake3Fault.Trailing(64)));
    assertThat(Outboard.open(good.root(), -1, stored))
        .isEqualTo(CheckResult.bad(new Blake3Fault.LengthRefused(-1, Outboard.LENGTH_BYTES_MAX)));
    assertThat(Outboard.open(good.root(), Long.MAX_VALUE, stored).isGood()).isFalse();
    assertThat(Outboard.open(other, 200_000, stored))
        .isEqualTo(CheckResult.bad(new Blake3Fault.RootMismatch(other, good.root())));
  }

  @Test
  void aWrongLengthWithinTheLastGroupIsFoundWhenThatGroupIsRead() {
    byte[] in = Inputs.random(7, 200_000);
    Outboard good = outboard(in);
    Outboard wrong = Outboard.open(good.root(), 199_999, good.stored()).orThrow();
    assertThat(mismatch(wrong, in)).isEqualTo(3);
  }

  @Test
  void groupsAreCheckedOneByOne() {
    byte[] in = Inputs.random(8, 100_000);
    Outboard outboard = outboard(in);
    assertThat(outboard.matches(0, in, 0, 65_536)).isTrue();
    assertThat(outboard.matches(1, in, 65_536, 34_464)).isTrue();
    assertThat(outboard.matches(0, in, 1, 65_536)).isFalse();
    assertThat(outboard.matches(1, in, 65_536, 34_463)).isFalse();
    assertThatThrownBy(() -> outboard.matches(2, in, 0, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
