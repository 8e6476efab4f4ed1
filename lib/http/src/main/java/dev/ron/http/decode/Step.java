package dev.ron.http.decode;

/**
 * What one step of a {@link Decoder} did.
 *
 * <p>Threading: immutable.
 */
public sealed interface Step {
  /** So many bytes were put out; there may be more, so step again. */
  record Produced(int bytes) implements Step {}

  /** All input was used and no output is held back; step again with more, or with the last. */
  record NeedInput() implements Step {}

  /** The body was complete and correct, to its last byte. */
  record End() implements Step {}

  /** Nothing was put out in this step, and nothing will be. */
  record Refused(DecodeFault fault) implements Step {}
}
