package dev.ron.checksum;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A checksum under way: bytes go in as they come, the value comes out once.
 *
 * <p>Threading: owned by the thread that reads the bytes.
 */
public final class ObjectChecksum {
  private final ChecksumAlgorithm algorithm;
  private final Sum sum;

  /** The function behind the algorithm. */
  private sealed interface Sum {
    record Crc(Checksum crc) implements Sum {}

    record Hash(MessageDigest digest) implements Sum {}
  }

  public ObjectChecksum(ChecksumAlgorithm algorithm) {
    this.algorithm = algorithm;
    this.sum =
        switch (algorithm) {
          case CRC32 -> new Sum.Crc(new CRC32());
          case CRC32C -> new Sum.Crc(new CRC32C());
          case CRC64NVME -> new Sum.Crc(new Crc64Nvme());
          case SHA1 -> new Sum.Hash(digest("SHA-1"));
          case SHA256 -> new Sum.Hash(digest("SHA-256"));
        };
  }

  /** The checksum of bytes that are all there. */
  public static ChecksumValue of(ChecksumAlgorithm algorithm, byte[] bytes) {
    var checksum = new ObjectChecksum(algorithm);
    checksum.update(bytes, 0, bytes.length);
    return checksum.value();
  }

  public void update(byte[] bytes, int offset, int length) {
    switch (sum) {
      case Sum.Crc(Checksum crc) -> crc.update(bytes, offset, length);
      case Sum.Hash(MessageDigest digest) -> digest.update(bytes, offset, length);
    }
  }

  /** Takes all that remains in the buffer. */
  public void update(ByteBuffer bytes) {
    switch (sum) {
      case Sum.Crc(Checksum crc) -> crc.update(bytes);
      case Sum.Hash(MessageDigest digest) -> digest.update(bytes);
    }
  }

  /** The checksum of all bytes so far; the next byte starts anew. */
  public ChecksumValue value() {
    return switch (sum) {
      case Sum.Hash(MessageDigest digest) -> ChecksumValue.of(algorithm, digest.digest());
      case Sum.Crc(Checksum crc) -> {
        long value = crc.getValue();
        crc.reset();
        yield PartChecksums.crc(algorithm, value);
      }
    };
  }

  private static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every JDK has " + name, absent);
    }
  }
}
