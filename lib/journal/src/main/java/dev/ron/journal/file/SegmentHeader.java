package dev.ron.journal.file;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment or a snapshot: magic, version, the journal's id, the position in the
 * file's name, a checksum.
 *
 * <p>Threading: immutable.
 *
 * @param id drawn when the journal was made, so that a file of another one is noticed
 */
public record SegmentHeader(long id, long first) {
  public static final int BYTES = 32;

  static final long LOG = 0x524f_4e4a_524e_4c31L; // RONJRNL1
  static final long SNAPSHOT = 0x524f_4e53_4e41_5031L; // RONSNAP1

  static final int VERSION = 1;

  ByteBuffer encode(long magic) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(magic).putInt(VERSION).putLong(id).putLong(first);
    bytes.putInt(checksum(bytes));
    return bytes.flip();
  }

  static Optional<SegmentHeader> parse(ByteBuffer bytes, long magic) {
    if (bytes.remaining() < BYTES
        || bytes.getLong(0) != magic
        || bytes.getInt(8) != VERSION
        || bytes.getInt(28) != checksum(bytes)) {
      return Optional.empty();
    }
    return Optional.of(new SegmentHeader(bytes.getLong(12), bytes.getLong(20)));
  }

  /**
   * The version of a header that is whole and not of ours; empty if it is ours, or no header.
   *
   * <p>Such a file is not damaged: a start must neither mend nor cut it.
   */
  static OptionalInt otherVersion(ByteBuffer bytes, long magic) {
    return bytes.remaining() >= BYTES
            && bytes.getLong(0) == magic
            && bytes.getInt(8) != VERSION
            && bytes.getInt(28) == checksum(bytes)
        ? OptionalInt.of(bytes.getInt(8))
        : OptionalInt.empty();
  }

  private static int checksum(ByteBuffer bytes) {
    var crc = new CRC32C();
    crc.update(bytes.slice(0, BYTES - Integer.BYTES));
    return (int) crc.getValue();
  }
}
