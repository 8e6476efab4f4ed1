package dev.ron.blake3.kernel;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Mode;
import java.util.Arrays;
import java.util.Optional;

/**
 * Holds a kernel against {@link ScalarHashKernel} before it may hash anything that matters.
 *
 * <p>Covers every width with a remainder, counters that carry into the high word, and a mode with a
 * key and flags of its own.
 *
 * <p>Threading: stateless.
 */
final class HashKernelCheck {
  /** Every lane width once, and one chunk over. */
  private static final int COUNT = 16 + 8 + 4 + 1;

  private static final int SUBTREE = 64;

  /** The sixteen lanes from here on straddle the low word of the counter. */
  private static final long CARRY = (1L << 32) - 64;

  private HashKernelCheck() {}

  /** Why the kernel may not be used; empty if it agrees. */
  static Optional<String> disagreement(HashKernel kernel) {
    Scratch scratch = Scratch.take();
    try {
      for (Mode mode : new Mode[] {Mode.PLAIN, Mode.keyed(new byte[Hash.BYTES])}) {
        for (long first : new long[] {0, CARRY, CARRY + SUBTREE}) {
          if (!agrees(kernel, mode, first, scratch)) {
            return Optional.of("differs from scalar at chunk " + first);
          }
        }
      }
      return Optional.empty();
    } catch (RuntimeException | LinkageError e) {
      return Optional.of("failed its self-test: " + e);
    } finally {
      scratch.give();
    }
  }

  private static boolean agrees(HashKernel kernel, Mode mode, long first, Scratch scratch) {
    byte[] in = input();
    ScalarHashKernel scalar = ScalarHashKernel.INSTANCE;
    byte[] expected = new byte[COUNT * Hash.BYTES];
    byte[] actual = new byte[COUNT * Hash.BYTES];
    scalar.chunks(in, 1, COUNT, mode, first + SUBTREE - 8, expected, 0, scratch);
    kernel.chunks(in, 1, COUNT, mode, first + SUBTREE - 8, actual, 0, scratch);
    boolean same = Arrays.equals(expected, actual);
    scalar.parents(in, 1, COUNT, mode, expected, 0, scratch);
    kernel.parents(in, 1, COUNT, mode, actual, 0, scratch);
    same &= Arrays.equals(expected, actual);
    scalar.halves(in, 1, SUBTREE, mode, first, scratch);
    byte[] halves = Arrays.copyOf(scratch.values, 2 * Hash.BYTES);
    kernel.halves(in, 1, SUBTREE, mode, first, scratch);
    return same && Arrays.equals(halves, 0, halves.length, scratch.values, 0, halves.length);
  }

  /** Bytes without a pattern that two lanes could share; read at an odd offset on purpose. */
  static byte[] input() {
    byte[] in = new byte[1 + SUBTREE * HashTree.CHUNK_BYTES];
    int state = 1;
    for (int i = 0; i < in.length; i++) {
      state = state * 1664525 + 1013904223;
      in[i] = (byte) (state >>> 24);
    }
    return in;
  }
}
