package dev.ron.blake3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts in any order give the root of the whole, and nothing else does. */
class SubtreeComposerTest {
  private static final int MIB = HashTree.PART_BYTES;

  private static List<Subtree> parts(byte[] in) {
    List<Subtree> parts = new ArrayList<>();
    for (int i = 0; i < HashTree.parts(in.length); i++) {
      parts.add(Subtree.of(i, in, i * MIB, Math.min(MIB, in.length - i * MIB)));
    }
    return parts;
  }

  private static SubtreeComposer composer(List<Subtree> parts) {
    SubtreeComposer composer = new SubtreeComposer(100);
    for (Subtree part : parts) {
      assertThat(composer.add(part).isGood()).isTrue();
    }
    return composer;
  }

  @Test
  void theRootIsTheHashOfTheWhole() {
    int[] lengths = {
      0,
      1,
      1023,
      1024,
      1025,
      65_536,
      MIB - 1,
      MIB,
      MIB + 1,
      2 * MIB,
      2 * MIB + 5,
      3 * MIB,
      4 * MIB + 1024,
      5 * MIB + 777,
      7 * MIB
    };
    for (int length : lengths) {
      byte[] in = Inputs.random(length, length);
      List<Subtree> parts = parts(in);
      Collections.shuffle(parts, new Random(length));
      assertThat(composer(parts).compose(length).orThrow())
          .as("%d bytes", length)
          .isEqualTo(Oracles.commons(in, length));
    }
  }

  @Test
  void onlyExactlyThePartsOfTheInputCompose() {
    int length = 2 * MIB + 5;
    List<Subtree> parts = parts(Inputs.random(1, length));
    assertFault(parts.subList(0, 2), length, new Blake3Fault.PartMissing(2));
    assertFault(parts.subList(1, 3), length, new Blake3Fault.PartMissing(0));
    assertFault(List.of(), 0, new Blake3Fault.PartMissing(0));
    assertFault(parts, length - 1, new Blake3Fault.PartLengthMismatch(2, 4, 5));
    assertFault(parts, 3L * MIB, new Blake3Fault.PartLengthMismatch(2, MIB, 5));
    assertFault(parts, 2L * MIB, new Blake3Fault.Trailing(2L * MIB));
    assertFault(parts, -1, new Blake3Fault.LengthRefused(-1, 100L * MIB));
    assertFault(parts, Long.MAX_VALUE, new Blake3Fault.LengthRefused(Long.MAX_VALUE, 100L * MIB));
  }

  private static void assertFault(List<Subtree> parts, long length, Blake3Fault fault) {
    assertThat(composer(parts).compose(length)).isEqualTo(CheckResult.bad(fault));
  }

  @Test
  void aPartHandedInAgainReplacesTheFirst() {
    byte[] in = Inputs.random(2, 2 * MIB);
    Subtree wrong = Subtree.of(0, Inputs.random(3, MIB));
    SubtreeComposer composer = composer(parts(in));
    Subtree right = composer.add(wrong).orThrow().orElseThrow();
    assertThat(composer.compose(in.length).orThrow()).isNotEqualTo(Blake3.hash(in));
    assertThat(composer.add(right).orThrow()).contains(wrong);
    assertThat(composer.compose(in.length).orThrow()).isEqualTo(Blake3.hash(in));
  }

  @Test
  void partsBeyondTheLimitAreRefused() {
    Subtree far = Subtree.of(100, new byte[1]);
    assertThat(new SubtreeComposer(100).add(far))
        .isEqualTo(CheckResult.bad(new Blake3Fault.LengthRefused(100L * MIB + 1, 100L * MIB)));
    assertThat(new SubtreeComposer(101).add(far)).isEqualTo(CheckResult.good(Optional.empty()));
  }

  @Test
  void impossiblePartsAreBugs() {
    assertThatThrownBy(() -> Subtree.of(-1, new byte[1])).hasMessageContaining("-1");
    assertThatThrownBy(() -> Subtree.of(Long.MAX_VALUE, new byte[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Subtree.of(0, new byte[MIB + 1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Subtree.of(1, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SubtreeComposer(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
