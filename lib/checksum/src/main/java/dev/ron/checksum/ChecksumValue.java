package dev.ron.checksum;

import java.util.Base64;
import java.util.Optional;

/**
 * A finished checksum: the digest, most significant byte first, in base64.
 *
 * <p>The text has one spelling, so two values are the same checksum exactly if they are equal.
 *
 * <p>Threading: immutable.
 */
public record ChecksumValue(ChecksumAlgorithm algorithm, String base64) {
  /** Checks that the text is base64 of a digest of the algorithm's length. */
  public ChecksumValue {
    if (!isDigest(algorithm, base64)) {
      throw new IllegalArgumentException(
          "not base64 of the %d bytes of %s".formatted(algorithm.digestBytes(), algorithm));
    }
  }

  static ChecksumValue of(ChecksumAlgorithm algorithm, byte[] digest) {
    return new ChecksumValue(algorithm, Base64.getEncoder().encodeToString(digest));
  }

  /** Reads a value that a client sent; empty if it is not a digest of this algorithm. */
  public static Optional<ChecksumValue> parse(ChecksumAlgorithm algorithm, String text) {
    return isDigest(algorithm, text)
        ? Optional.of(new ChecksumValue(algorithm, text))
        : Optional.empty();
  }

  /** The digest itself. */
  public byte[] digest() {
    return Base64.getDecoder().decode(base64);
  }

  private static boolean isDigest(ChecksumAlgorithm algorithm, String text) {
    // Looked at before decoding: the text comes from an untrusted client.
    if (text.length() != (algorithm.digestBytes() + 2) / 3 * 4) {
      return false;
    }
    try {
      byte[] digest = Base64.getDecoder().decode(text);
      return digest.length == algorithm.digestBytes()
          && Base64.getEncoder().encodeToString(digest).equals(text);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
