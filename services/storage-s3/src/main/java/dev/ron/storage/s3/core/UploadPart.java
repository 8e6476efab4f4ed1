package dev.ron.storage.s3.core;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One part of an upload, and of the object it becomes.
 *
 * <p>Threading: immutable.
 *
 * @param number 1 to {@value #NUMBER_MAX}
 * @param md5 32 hex digits
 * @param checksum base64, of the upload's algorithm; null if there is none
 * @param content never in parts itself
 */
public record UploadPart(
    int number,
    long sizeBytes,
    String md5,
    long modifiedMillis,
    @Nullable String checksum,
    ObjectContent content) {
  public static final int NUMBER_MAX = 10_000;

  /** Each part but the last has at least so many. */
  public static final long BYTES_MIN = 5L << 20;

  public UploadPart {
    if (number < 1 || number > NUMBER_MAX) {
      throw new IllegalArgumentException("part " + number);
    }
    if (content instanceof ObjectContent.Parts) {
      throw new IllegalArgumentException("a part in parts");
    }
  }

  /** A number as a request says it; empty if no part has it. */
  public static OptionalInt parseNumber(String text) {
    try {
      int number = Integer.parseInt(text);
      return number < 1 || number > NUMBER_MAX ? OptionalInt.empty() : OptionalInt.of(number);
    } catch (NumberFormatException _) {
      return OptionalInt.empty();
    }
  }

  /** For lists: a thousand parts may name a million blocks. */
  public UploadPart withoutContent() {
    return new UploadPart(
        number, sizeBytes, md5, modifiedMillis, checksum, new ObjectContent.Inline(new byte[0]));
  }
}
