package dev.ron.blake3;

import static dev.ron.blake3.Oracles.bouncyCastle;
import static dev.ron.blake3.Oracles.commons;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.kernel.HashKernel;
import dev.ron.blake3.kernel.HashKernels;
import dev.ron.blake3.kernel.ScalarHashKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every kernel against two implementations that are not ours. */
class Blake3Test {
  private static final int FIVE_CHUNKS = 5 * HashTree.CHUNK_BYTES;

  private static Hash ours(HashKernel kernel, byte[] in, int length) {
    return new Blake3Hasher(Mode.PLAIN, 0, kernel).update(in, 0, length).hash();
  }

  @TestFactory
  Iterable<DynamicTest> everyLengthToFiveChunksAgrees() {
    byte[] in = Inputs.random(5, FIVE_CHUNKS);
    Hash[] expected = new Hash[FIVE_CHUNKS + 1];
    for (int n = 0; n <= FIVE_CHUNKS; n++) {
      expected[n] = commons(in, n);
      // The slower of the two is asked where blocks and chunks begin and end, and at every seventh.
      if (n % 64 <= 1 || n % 64 == 63 || n % 7 == 0) {
        assertThat(bouncyCastle(in, n)).as("oracles at %d bytes", n).isEqualTo(expected[n]);
      }
    }
    return perKernel(
        kernel -> {
          for (int n = 0; n <= FIVE_CHUNKS; n++) {
            assertThat(ours(kernel, in, n)).as("%d bytes", n).isEqualTo(expected[n]);
          }
        });
  }

  @TestFactory
  Iterable<DynamicTest> lengthsAroundPowersOfTwoAgree() {
    return agreeing(Inputs.aroundPowersOfTwo(8 * HashTree.CHUNK_BYTES, 1 << 24), 24);
  }

  @TestFactory
  Iterable<DynamicTest> randomLengthsAgree() {
    long seed = System.nanoTime();
    var lengths = new Random(seed).ints(12, 0, 1 << 19).boxed().toList();
    return agreeing(lengths, seed);
  }

  private static Iterable<DynamicTest> agreeing(Iterable<Integer> lengths, long seed) {
    byte[] in = Inputs.random(seed, (1 << 24) + 1);
    var expected = new LinkedHashMap<Integer, Hash>();
    for (int n : lengths) {
      Hash hash = commons(in, n);
      assertThat(bouncyCastle(in, n)).as("oracles at %d bytes", n).isEqualTo(hash);
      expected.put(n, hash);
    }
    return perKernel(
        kernel ->
            expected.forEach(
                (n, hash) ->
                    assertThat(ours(kernel, in, n))
                        .as("%d bytes, seed %d", n, seed)
                        .isEqualTo(hash)));
  }

  private interface Proof {
    void of(HashKernel kernel);
  }

  private static Iterable<DynamicTest> perKernel(Proof proof) {
    return HashKernels.here().stream()
        .map(kernel -> DynamicTest.dynamicTest(kernel.name(), () -> proof.of(kernel)))
        .toList();
  }

  @Test
  void piecesOfAnySizeGiveTheSameHash() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] in = Inputs.random(seed, 300_000);
    for (int round = 0; round < 60; round++) {
      int length = random.nextInt(in.length);
      int pieceMax = 1 + random.nextInt(1 << random.nextInt(1, 18));
      Blake3Hasher hasher = new Blake3Hasher();
      for (int at = 0; at < length; ) {
        int n = Math.min(length - at, random.nextInt(pieceMax + 1));
        hasher.update(in, at, n);
        at += n;
        if (random.nextInt(8) == 0) {
          hasher.hash(); // asking in between must change nothing
        }
      }
      assertThat(hasher.lengthBytes()).isEqualTo(length);
      assertThat(hasher.hash())
          .as("%d bytes in pieces of at most %d, seed %d", length, pieceMax, seed)
          .isEqualTo(ours(ScalarHashKernel.INSTANCE, in, length));
    }
  }

  @Test
  void arraysBuffersAndSegmentsGiveTheSameHash() {
    for (int length : new int[] {0, 1, 1024, 1025, 65_536, 200_001}) {
      byte[] in = Inputs.random(length, length);
      Hash expected = commons(in, length);
      byte[] padded = new byte[length + 10];
      System.arraycopy(in, 0, padded, 3, length);
      ByteBuffer direct = ByteBuffer.allocateDirect(length).put(in).flip();
      ByteBuffer readOnly = ByteBuffer.wrap(padded, 3, length).slice().asReadOnlyBuffer();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment outside = arena.allocate(length + 1).asSlice(1);
        outside.copyFrom(MemorySegment.ofArray(in));
        assertThat(Blake3.hash(in)).isEqualTo(expected);
        assertThat(Blake3.hash(ByteBuffer.wrap(padded, 3, length))).isEqualTo(expected);
        assertThat(Blake3.hash(direct)).isEqualTo(expected);
        assertThat(direct.hasRemaining()).isFalse();
        assertThat(Blake3.hash(readOnly)).isEqualTo(expected);
        assertThat(Blake3.hash(outside)).isEqualTo(expected);
        MemorySegment slice = MemorySegment.ofArray(padded).asSlice(3, length);
        assertThat(Blake3.hash(slice)).isEqualTo(expected);
        assertThat(Blake3.hash(slice.asReadOnly())).isEqualTo(expected);
      }
    }
  }

  @Test
  void aResetHasherIsAsNew() {
    Blake3Hasher hasher = new Blake3Hasher().update(Inputs.random(1, 70_000));
    assertThat(hasher.reset().lengthBytes()).isZero();
    assertThat(hasher.hash()).isEqualTo(Blake3.hash(new byte[0]));
  }

  @Test
  void keyedHashesAgree() {
    byte[] key = Inputs.random(7, Hash.BYTES);
    for (int length : new int[] {0, 1, 64, 1024, 1025, 5000}) {
      byte[] in = Inputs.random(8, length);
      assertThat(Blake3.keyedHash(key, in)).isEqualTo(Oracles.commonsKeyed(key, in));
    }
  }

  @Test
  void callersBugsAreExceptions() {
    assertThatThrownBy(() -> Mode.keyed(new byte[31])).hasMessageContaining("31");
    assertThatThrownBy(() -> Hash.of(new byte[33])).hasMessageContaining("33");
    assertThatThrownBy(() -> new Blake3Hasher().update(new byte[4], 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void hashesAreValues() {
    byte[] bytes = Inputs.random(3, Hash.BYTES);
    Hash hash = Hash.of(bytes);
    assertThat(hash.bytes()).isEqualTo(bytes);
    assertThat(hash.hex()).isEqualTo(HexFormat.of().formatHex(bytes));
    assertThat(Hash.ofHex(hash.hex())).isEqualTo(hash).hasSameHashCodeAs(hash);
    for (int bit = 0; bit < 8 * Hash.BYTES; bit++) {
      byte[] other = bytes.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(Hash.of(other)).isNotEqualTo(hash);
    }
  }
}
