package dev.ron.blake3.bao;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.Inputs;
import dev.ron.blake3.kernel.Words;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Slices at both grains: what is encoded verifies, and nothing else does. */
class SliceTest {
  private static final int[] LENGTHS = {
    0, 1, 1023, 1024, 1025, 3000, 65_535, 65_536, 65_537, 131_072, 200_000, 700_001
  };

  @Test
  void everyRangeComesBackAndHasTheSizeForetold() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int length : LENGTHS) {
      byte[] in = Inputs.random(length, length);
      Hash root = Blake3.hash(in);
      for (Grain grain : Grain.values()) {
        for (int i = 0; i < 25; i++) {
          long start = random.nextLong(length + length / 4 + 2);
          long size = random.nextLong(1L << random.nextInt(1, 21));
          SliceRange range = new SliceRange(start, size);
          String what = "%s of %d by %s, seed %d".formatted(range, length, grain, seed);
          byte[] slice = Slice.encode(in, range, grain);
          assertThat(range.sliceBytes(length, grain)).as(what).isEqualTo(slice.length);
          assertThat(SliceVerifier.decode(root, range, grain, slice).orThrow())
              .as(what)
              .isEqualTo(Inputs.part(in, start, size));
        }
      }
    }
  }

  @Test
  void anyFlippedBitOfASmallSliceIsRefused() throws IOException {
    for (int length : new int[] {1, 1024, 1025, 3000, 5000}) {
      byte[] in = Inputs.random(length, length);
      Hash root = Blake3.hash(in);
      for (SliceRange range : new SliceRange[] {new SliceRange(0, 1), new SliceRange(900, 1500)}) {
        byte[] slice = Slice.encode(in, range, Grain.CHUNK);
        for (long bit = 0; bit < 8L * slice.length; bit++) {
          assertRefused(root, range, Grain.CHUNK, in, Inputs.flipped(slice, bit), bit);
        }
      }
    }
  }

  @Test
  void anyFlippedBitOfALargeSliceIsRefused() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] in = Inputs.random(seed, 700_001);
    Hash root = Blake3.hash(in);
    for (int i = 0; i < 150; i++) {
      Grain grain = i % 2 == 0 ? Grain.CHUNK : Grain.GROUP;
      SliceRange range = new SliceRange(random.nextInt(in.length), random.nextInt(in.length));
      byte[] slice = Slice.encode(in, range, grain);
      // Half of the flips hit the first kilobyte, where the header and the parents are.
      long bit = random.nextLong(8L * (i % 4 < 2 ? Math.min(slice.length, 1024) : slice.length));
      assertRefused(root, range, grain, in, Inputs.flipped(slice, bit), bit);
    }
  }

  /**
   * With the length known, every bit counts. Without it, a length that does not change the path to
   * the range proves nothing false: the same bytes come back, and the length is marked unproven.
   */
  private static void assertRefused(
      Hash root, SliceRange range, Grain grain, byte[] in, byte[] bad, long bit)
      throws IOException {
    String what = "bit %d of %s of %d by %s".formatted(bit, range, in.length, grain);
    var known =
        SliceVerifier.verifyKnownLength(
            root, range, grain, in.length, stream(bad), new ByteArrayOutputStream());
    assertThat(known.isGood()).as(what).isFalse();
    var out = new ByteArrayOutputStream();
    var unknown = SliceVerifier.verify(root, range, grain, Long.MAX_VALUE, stream(bad), out);
    if (unknown instanceof CheckResult.Good<SliceVerifier.Proof>(SliceVerifier.Proof proof)) {
      assertThat(bit).as(what).isLessThan(64);
      assertThat(proof.lengthProven()).as(what).isFalse();
      assertThat(out.toByteArray())
          .as(what)
          .isEqualTo(Inputs.part(in, range.start(), range.length()));
    }
  }

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  @Test
  void aSliceOfAnotherLengthIsRefused() {
    byte[] in = Inputs.random(1, 5000);
    Hash root = Blake3.hash(in);
    SliceRange range = new SliceRange(1000, 2000);
    byte[] slice = Slice.encode(in, range, Grain.CHUNK);
    for (int n = 0; n < slice.length; n++) {
      assertThat(fault(root, range, Arrays.copyOf(slice, n)))
          .isEqualTo(new Blake3Fault.Truncated(n));
    }
    assertThat(fault(root, range, Arrays.copyOf(slice, slice.length + 1)))
        .isEqualTo(new Blake3Fault.Trailing(slice.length));
    assertThat(fault(root, new SliceRange(4000, 1), slice)).isNotNull();
    assertThat(fault(Blake3.hash(new byte[1]), range, slice))
        .isEqualTo(new Blake3Fault.ParentMismatch(0, 5000));
  }

  private static Blake3Fault fault(Hash root, SliceRange range, byte[] slice) {
    return switch (SliceVerifier.decode(root, range, Grain.CHUNK, slice)) {
      case CheckResult.Good<byte[]> good -> throw new AssertionError("accepted: " + good);
      case CheckResult.Bad<byte[]>(Blake3Fault fault) -> fault;
    };
  }

  @Test
  void aClaimedLengthIsRefusedBeforeAnythingIsRead() throws IOException {
    for (long claimed : new long[] {-1, Long.MIN_VALUE, 1001, Long.MAX_VALUE}) {
      byte[] slice = new byte[64];
      Words.longWord(slice, 0, claimed);
      InputStream in = stream(slice);
      var answer =
          SliceVerifier.verify(
              Blake3.hash(new byte[0]),
              SliceRange.all(),
              Grain.GROUP,
              1000,
              in,
              new ByteArrayOutputStream());
      assertThat(answer).isEqualTo(CheckResult.bad(new Blake3Fault.LengthRefused(claimed, 1000)));
      assertThat(in.available()).isEqualTo(slice.length - 8);
    }
  }

  @Test
  void theLargestLengthsNeitherOverflowNorAllocate() {
    byte[] slice = new byte[8 + 64 * 60];
    Words.longWord(slice, 0, Long.MAX_VALUE);
    for (long start : new long[] {0, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
      var answer =
          SliceVerifier.decode(
              Blake3.hash(slice), new SliceRange(start, Long.MAX_VALUE), Grain.CHUNK, slice);
      assertThat(answer)
          .isEqualTo(CheckResult.bad(new Blake3Fault.ParentMismatch(0, Long.MAX_VALUE)));
    }
  }

  @Test
  void anEncoderNeverSendsABadGroup() throws IOException {
    byte[] in = Inputs.random(2, 200_000);
    Outboard outboard = new OutboardBuilder().update(in).build();
    in[70_000] ^= 1;
    for (Grain grain : Grain.values()) {
      var out = new ByteArrayOutputStream();
      var answer =
          Slice.write(
              outboard, ByteSource.of(MemorySegment.ofArray(in)), SliceRange.all(), grain, out);
      assertThat(answer).isEqualTo(CheckResult.bad(new Blake3Fault.BytesMismatch(65_536, 65_536)));
      // The three parents above it may be out already, its bytes may not.
      int sent = (int) SliceRange.all().sliceBytes(65_536, grain) + 3 * 64;
      assertThat(out.size()).isLessThanOrEqualTo(sent);
    }
  }

  @Test
  void aNegativeRangeIsABug() {
    assertThatThrownBy(() -> new SliceRange(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SliceRange(1, -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
