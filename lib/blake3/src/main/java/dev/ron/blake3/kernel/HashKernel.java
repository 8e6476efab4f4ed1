package dev.ron.blake3.kernel;

import dev.ron.blake3.Mode;

/**
 * One way of hashing many chunks and parents; all of them must agree bit for bit.
 *
 * <p>Chaining values are 32 bytes each, back to back. {@code out} may be {@code in}: a parent is
 * half as long as its children, so nothing is overwritten before it has been read.
 *
 * <p>Threading: kernels are stateless; the scratch belongs to the caller.
 */
public sealed interface HashKernel permits ScalarHashKernel, VectorHashKernel, NativeHashKernel {
  /** The word for it in {@code ron.blake3.kernel}. */
  String name();

  /** Chaining values of {@code count} whole chunks, the first of which has number {@code first}. */
  void chunks(
      byte[] in, int at, int count, Mode mode, long first, byte[] out, int outAt, Scratch scratch);

  /** Chaining values of {@code count} pairs of chaining values. */
  void parents(byte[] in, int at, int count, Mode mode, byte[] out, int outAt, Scratch scratch);

  /**
   * The two halves of a subtree of whole chunks: left and right chaining value, 64 bytes, at {@code
   * scratch.values}. They are kept apart because only the caller knows whether their parent is the
   * root.
   *
   * @param count a power of two from 2 to {@link Scratch#CHUNKS_MAX}
   */
  default void halves(byte[] in, int at, int count, Mode mode, long first, Scratch scratch) {
    byte[] values = scratch.values;
    chunks(in, at, count, mode, first, values, 0, scratch);
    for (int n = count; n > 2; n /= 2) {
      parents(values, 0, n / 2, mode, values, 0, scratch);
    }
  }
}
