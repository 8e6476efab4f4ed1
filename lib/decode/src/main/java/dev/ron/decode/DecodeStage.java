package dev.ron.decode;

import java.nio.ByteBuffer;

/**
 * One coding being taken off. Knows nothing of caps: it moves bytes until the input is used up or
 * the output is full, and never holds more than its window.
 *
 * <p>Threading: owned by its {@link Decoder}.
 */
sealed interface DecodeStage extends AutoCloseable
    permits BrotliStage, DeflateStage, GzipStage, PlainStage, ZstdStage {
  /** Why {@link #pump} came back. */
  enum Flow {
    /** The input is used up, in the middle of something. */
    HUNGRY,
    /** The output is full; there may be more. */
    FULL,
    /** The input is used up, and may end here. */
    DONE,
    /** Not what the coding looks like. */
    BROKEN,
    /** A whole stream, and then something else. */
    TRAILING,
    /** A larger window than allowed. */
    WINDOW
  }

  Flow pump(ByteBuffer in, ByteBuffer out);

  @Override
  void close();
}
