package dev.ron.blake3;

/**
 * The answer of a check on bytes that are not trusted: what they prove, or the fault that was
 * found.
 *
 * <p>Threading: immutable.
 */
public sealed interface CheckResult<T> {
  /** The bytes are what they claim to be. */
  record Good<T>(T value) implements CheckResult<T> {}

  /** They are not; nothing that came from them may be used. */
  record Bad<T>(Blake3Fault fault) implements CheckResult<T> {}

  static <T> CheckResult<T> good(T value) {
    return new Good<>(value);
  }

  static <T> CheckResult<T> bad(Blake3Fault fault) {
    return new Bad<>(fault);
  }

  default boolean isGood() {
    return this instanceof Good;
  }

  /** For callers where a fault is a bug, such as tests. */
  default T orThrow() {
    return switch (this) {
      case Good<T>(T value) -> value;
      case Bad<T>(Blake3Fault fault) -> throw new IllegalStateException(fault.toString());
    };
  }
}
