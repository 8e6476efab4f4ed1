package dev.ron.erasure;

/**
 * The loop that applies a {@link Combination} to bytes.
 *
 * <p>Callers have checked every bound and have made sure that no output is also an input. A kernel
 * allocates nothing.
 *
 * <p>Threading: implementations are immutable.
 */
interface Kernel {
  String name();

  /**
   * Computes {@code length} bytes of each output. Input c is {@code in[of.from[c]]} from {@code
   * inAt} on, output r is {@code out[of.into[r]]} from {@code outAt} on; what was in the outputs is
   * overwritten.
   */
  void apply(Combination of, byte[][] in, int inAt, byte[][] out, int outAt, int length);
}
