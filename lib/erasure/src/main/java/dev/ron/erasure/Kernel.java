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
   * Computes {@code length} bytes of each output. Input c is {@code inputs[combination.from[c]]}
   * from {@code inputsAt} on, output r is {@code outputs[combination.into[r]]} from {@code
   * outputsAt} on; what was in the outputs is overwritten.
   */
  void apply(
      Combination combination,
      byte[][] inputs,
      int inputsAt,
      byte[][] outputs,
      int outputsAt,
      int length);
}
