package dev.ron.storage.s3.core;

/**
 * A checksum that a client sent with an object and that was found right.
 *
 * <p>Threading: immutable.
 *
 * @param algorithm as in {@code x-amz-checksum-algorithm}, such as {@code CRC32}
 * @param value base64; with the number of parts behind it where it is one of parts
 */
public record StoredChecksum(String algorithm, Kind kind, String value) {
  /** What the value was computed over. */
  public enum Kind {
    FULL_OBJECT,
    COMPOSITE
  }
}
