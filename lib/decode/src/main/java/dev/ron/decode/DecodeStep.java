package dev.ron.decode;

/**
 * What one step of a {@link Decoder} did.
 *
 * <p>Threading: immutable.
 */
public sealed interface DecodeStep {
  /** This many bytes were put out; there may be more, so step again. */
  record Produced(int bytes) implements DecodeStep {}

  /** All input was used and no output is held back; step again with more, or with the last. */
  record NeedInput() implements DecodeStep {}

  /** The body was complete and correct, to its last byte. */
  record End() implements DecodeStep {}

  /** Nothing was put out in this step, and nothing will be. */
  record Refused(DecodeFault fault) implements DecodeStep {}
}
