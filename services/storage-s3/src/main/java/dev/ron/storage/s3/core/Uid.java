package dev.ron.storage.s3.core;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Names one version of an object or one upload, and nothing else ever.
 *
 * <p>Threading: immutable.
 *
 * @param sequence the position of the log entry that made it, so later ones are larger
 * @param chance so that one cannot be guessed from another
 */
public record Uid(long sequence, long chance) {
  public static final int BYTES = 16;
  private static final int CHARS = 2 * BYTES;

  /** As in a version id or upload id; empty if the text is neither. */
  public static Optional<Uid> parse(String text) {
    if (text.length() != CHARS || !text.chars().allMatch(Uid::isHex)) {
      return Optional.empty();
    }
    return Optional.of(
        new Uid(
            HexFormat.fromHexDigitsToLong(text, 0, CHARS / 2),
            HexFormat.fromHexDigitsToLong(text, CHARS / 2, CHARS)));
  }

  public static Uid at(byte[] bytes, int at) {
    var buffer = ByteBuffer.wrap(bytes, at, BYTES);
    return new Uid(buffer.getLong(), buffer.getLong());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(sequence).putLong(chance).array();
  }

  private static boolean isHex(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(sequence) + HexFormat.of().toHexDigits(chance);
  }
}
