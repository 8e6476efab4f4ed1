package dev.ron.checksum;

import java.util.Locale;
import java.util.Optional;

/**
 * The checksum functions that S3 clients name.
 *
 * <p>Newer SDKs know others (SHA-512, MD5, the XXHASH family); those are not read here, and {@link
 * #parse} answers nothing for them, so that a door refuses them before a byte is stored.
 */
public enum ChecksumAlgorithm {
  CRC32(4, true, true),
  CRC32C(4, true, true),
  CRC64NVME(8, true, false),
  SHA1(20, false, true),
  SHA256(32, false, true);

  private static final String HEADER_START = "x-amz-checksum-";

  private final int digestBytes;
  private final boolean fullObject;
  private final boolean composite;

  ChecksumAlgorithm(int digestBytes, boolean fullObject, boolean composite) {
    this.digestBytes = digestBytes;
    this.fullObject = fullObject;
    this.composite = composite;
  }

  /** Reads the name in any case, as {@code x-amz-checksum-algorithm} has it. */
  public static Optional<ChecksumAlgorithm> parse(String name) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.name().equalsIgnoreCase(name)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }

  /** Reads the name of a header or trailer field; empty if it carries no value of one of these. */
  public static Optional<ChecksumAlgorithm> ofHeader(String fieldName) {
    return fieldName.regionMatches(true, 0, HEADER_START, 0, HEADER_START.length())
        ? parse(fieldName.substring(HEADER_START.length()))
        : Optional.empty();
  }

  /** The field that carries a value, in lower case. */
  public String header() {
    return HEADER_START + name().toLowerCase(Locale.ROOT);
  }

  public int digestBytes() {
    return digestBytes;
  }

  /** Whether a multipart object may have this kind: CRCs can be combined, hashes cannot. */
  public boolean supports(ChecksumType type) {
    return switch (type) {
      case FULL_OBJECT -> fullObject;
      case COMPOSITE -> composite;
    };
  }

  /** What a multipart upload gets that names no type. */
  public ChecksumType defaultType() {
    return supports(ChecksumType.COMPOSITE) ? ChecksumType.COMPOSITE : ChecksumType.FULL_OBJECT;
  }
}
