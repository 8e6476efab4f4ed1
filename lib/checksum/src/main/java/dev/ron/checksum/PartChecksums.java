package dev.ron.checksum;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The checksum of a multipart object, from those of its parts and without their bytes.
 *
 * <p>Threading: immutable.
 */
public final class PartChecksums {
  private PartChecksums() {}

  /** One part in the order of the object. */
  public record Part(ChecksumValue checksum, long bytes) {
    public Part {
      if (bytes < 0) {
        throw new IllegalArgumentException("a part of " + bytes + " bytes");
      }
    }
  }

  /** As of the object in one piece; for algorithms that support {@code FULL_OBJECT}. */
  public static ChecksumValue fullObject(ChecksumAlgorithm algorithm, List<Part> parts) {
    CrcPolynomial polynomial = polynomial(algorithm);
    long crc = 0;
    for (Part part : parts) {
      require(algorithm, part.checksum());
      crc = polynomial.combine(crc, number(part.checksum()), part.bytes());
    }
    return crc(algorithm, crc);
  }

  /** Of the parts' digests one after the other, with {@code -} and the number of parts. */
  public static String composite(ChecksumAlgorithm algorithm, List<ChecksumValue> parts) {
    if (!algorithm.supports(ChecksumType.COMPOSITE)) {
      throw new IllegalArgumentException(algorithm + " has no composite form");
    }
    var checksum = new ObjectChecksum(algorithm);
    for (ChecksumValue part : parts) {
      require(algorithm, part);
      checksum.update(ByteBuffer.wrap(part.digest()));
    }
    return checksum.value().base64() + "-" + parts.size();
  }

  static ChecksumValue crc(ChecksumAlgorithm algorithm, long value) {
    int bytes = algorithm.digestBytes();
    byte[] digest = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      digest[i] = (byte) (value >>> (8 * (bytes - 1 - i)));
    }
    return ChecksumValue.of(algorithm, digest);
  }

  private static long number(ChecksumValue checksum) {
    long number = 0;
    for (byte b : checksum.digest()) {
      number = (number << 8) | (b & 0xff);
    }
    return number;
  }

  private static CrcPolynomial polynomial(ChecksumAlgorithm algorithm) {
    return switch (algorithm) {
      case CRC32 -> CrcPolynomial.CRC32;
      case CRC32C -> CrcPolynomial.CRC32C;
      case CRC64NVME -> CrcPolynomial.CRC64NVME;
      case SHA1, SHA256 ->
          throw new IllegalArgumentException(algorithm + " cannot be combined from parts");
    };
  }

  private static void require(ChecksumAlgorithm algorithm, ChecksumValue part) {
    if (part.algorithm() != algorithm) {
      throw new IllegalArgumentException(
          "a part has a %s in an object of %s".formatted(part.algorithm(), algorithm));
    }
  }
}
