package dev.ron.content.segment;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.AddressKey;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a record: what it is, of which address, how long, and its place in the order of
 * commits.
 *
 * <p>80 bytes, big-endian: magic 4, kind 1, version 1, zero 2, length 8, sequence 8, moment 8,
 * address 32, checksum 16. After the header of an object come its bytes, then the chaining values
 * of its groups if it has more than one, then zeros up to a multiple of 8. Both need no checksum of
 * their own: the address is one.
 *
 * <p>The checksum is a keyed hash, with the secret of the segment as the key and the header's
 * position in the segment behind its bytes. Hence no object can contain bytes that pass for a
 * record, and a record that was left at another place does not pass either.
 *
 * <p>Threading: immutable.
 */
public record RecordHeader(Kind kind, long length, long sequence, long moment, AddressKey key) {
  public static final int BYTES = 80;
  static final int MAGIC = 0x526f6e52; // RonR
  public static final int ALIGNMENT = 8;

  private static final byte VERSION = 1;
  private static final int CHECKED_BYTES = 64;
  private static final AddressKey NO_ADDRESS = new AddressKey(0, 0, 0, 0);

  /** What a record says. */
  public enum Kind {
    /** Here is an object. */
    OBJECT(1),
    /** The object was deleted. */
    TOMBSTONE(2),
    /** The segment ends here and everything in it was flushed. */
    SEAL(3),
    /** An object was to be here, and was given up; the length is to be skipped. */
    VOID(4);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }

    private static @Nullable Kind of(byte code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }
  }

  public static RecordHeader object(AddressKey key, long length, long sequence) {
    return new RecordHeader(Kind.OBJECT, length, sequence, 0, key);
  }

  public static RecordHeader tombstone(AddressKey key, long sequence, long moment) {
    return new RecordHeader(Kind.TOMBSTONE, 0, sequence, moment, key);
  }

  static RecordHeader seal() {
    return new RecordHeader(Kind.SEAL, 0, 0, 0, NO_ADDRESS);
  }

  /** Skips as much as an object of this length would take. */
  public static RecordHeader none(long length) {
    return new RecordHeader(Kind.VOID, length, 0, 0, NO_ADDRESS);
  }

  /** How many bytes of a segment an object of this length takes. */
  public static long objectRecordBytes(long length) {
    return aligned(BYTES + length + Outboard.storedBytes(length));
  }

  static long aligned(long position) {
    return Math.ceilDiv(position, ALIGNMENT) * ALIGNMENT;
  }

  /** From the header to the next one. */
  public long recordBytes() {
    return switch (kind) {
      case OBJECT, VOID -> objectRecordBytes(length);
      case TOMBSTONE, SEAL -> BYTES;
    };
  }

  public void write(ByteBuffer to, byte[] secret, long position) {
    ByteBuffer checked = ByteBuffer.allocate(CHECKED_BYTES + Long.BYTES);
    checked.putInt(MAGIC).put(kind.code).put(VERSION).putShort((short) 0);
    checked.putLong(length).putLong(sequence).putLong(moment);
    key.write(checked);
    checked.putLong(position);
    to.put(checked.array(), 0, CHECKED_BYTES);
    to.put(Blake3.keyedHash(secret, checked.array()).bytes(), 0, BYTES - CHECKED_BYTES);
  }

  /** The header at {@code at} of the buffer, or null if there is none that passes. */
  static @Nullable RecordHeader read(ByteBuffer from, int at, byte[] secret, long position) {
    if (from.limit() - at < BYTES || from.getInt(at) != MAGIC) {
      return null;
    }
    byte[] checked = new byte[CHECKED_BYTES + Long.BYTES];
    from.get(at, checked, 0, CHECKED_BYTES);
    ByteBuffer.wrap(checked).putLong(CHECKED_BYTES, position);
    byte[] sum = Blake3.keyedHash(secret, checked).bytes();
    for (int i = 0; i < BYTES - CHECKED_BYTES; i++) {
      if (from.get(at + CHECKED_BYTES + i) != sum[i]) {
        return null;
      }
    }
    Kind kind = Kind.of(from.get(at + 4));
    long length = from.getLong(at + 8);
    if (kind == null
        || from.get(at + 5) != VERSION
        || length < 0
        || length > Outboard.LENGTH_BYTES_MAX) {
      return null;
    }
    return new RecordHeader(
        kind, length, from.getLong(at + 16), from.getLong(at + 24), AddressKey.read(from, at + 32));
  }
}
