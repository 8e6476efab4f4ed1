package dev.ron.journal.file;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record as it lies in a segment: length, batch, position, checksum, payload.
 *
 * <pre>
 * 0   4  payload bytes, at least 1; -1 for a mark and -2 for a lost record, which have none
 * 4   4  records of the same batch before this one
 * 8   8  position
 * 16  4  CRC-32C over the journal's id, the 16 bytes above, and the payload
 * </pre>
 *
 * <p>The checksum covers the id and the position, so a record that a disk brings back from another
 * place, another time or another journal is not taken for this one.
 *
 * <p>A batch is what one flush covers, and it is written only after the batch before it was
 * flushed. So a frame of a batch proves that everything before the batch had been on the disk; that
 * tells a torn tail from corruption. A mark is such a proof without a record; a clean close leaves
 * one. A lost record keeps the place of one that {@link Salvage} could not read, so that all others
 * keep their positions.
 *
 * <p>Threading: immutable.
 *
 * @param payload empty for all but a record
 */
public record Frame(long position, long batchStart, Kind kind, ByteBuffer payload) {
  static final int HEADER_BYTES = 20;

  /** What a reader is ready to believe before it has checked anything. */
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  private static final int MARK = -1;
  private static final int LOST = -2;
  private static final int CHECKED_BYTES = 16;

  /** What a frame stands for. */
  enum Kind {
    RECORD,
    MARK,
    LOST
  }

  public static int bytes(int payloadBytes) {
    return HEADER_BYTES + payloadBytes;
  }

  /** Bytes of this frame in its segment. */
  int bytes() {
    return bytes(payload.remaining());
  }

  static void put(ByteBuffer into, long id, long position, long batchStart, ByteBuffer payload) {
    put(into, id, payload.remaining(), Math.toIntExact(position - batchStart), position, payload);
  }

  static void putMark(ByteBuffer into, long id, long position) {
    put(into, id, MARK, 0, position, ByteBuffer.allocate(0));
  }

  static void putLost(ByteBuffer into, long id, long position, long batchStart) {
    int back = Math.toIntExact(position - batchStart);
    put(into, id, LOST, back, position, ByteBuffer.allocate(0));
  }

  private static void put(
      ByteBuffer into, long id, int length, int back, long position, ByteBuffer payload) {
    int start = into.position();
    into.putInt(length).putInt(back).putLong(position);
    into.putInt(checksum(id, into.slice(start, CHECKED_BYTES), payload));
    into.put(payload.duplicate());
  }

  /** The length a header claims, -1 if it cannot be one. */
  static int payloadBytes(ByteBuffer header) {
    int length = header.getInt(header.position());
    if (length == MARK || length == LOST) {
      return 0;
    }
    return length >= 1 && length <= PAYLOAD_BYTES_MAX ? length : -1;
  }

  /** True for a header that takes no position. */
  static boolean isMark(ByteBuffer header) {
    return header.getInt(header.position()) == MARK;
  }

  static int checksum(long id, ByteBuffer checked, ByteBuffer payload) {
    var crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, id));
    crc.update(checked);
    crc.update(payload.duplicate());
    return (int) crc.getValue();
  }

  /** Reads a frame whose every byte is in {@code bytes}; null if it is not one of this journal. */
  static @Nullable Frame parse(ByteBuffer bytes, long id) {
    int start = bytes.position();
    int length = bytes.getInt(start);
    int back = bytes.getInt(start + 4);
    long position = bytes.getLong(start + 8);
    int payloadBytes = payloadBytes(bytes);
    if (payloadBytes < 0 || back < 0 || back > position) {
      return null;
    }
    ByteBuffer payload = bytes.slice(start + HEADER_BYTES, payloadBytes);
    int checksum = checksum(id, bytes.slice(start, CHECKED_BYTES), payload);
    if (checksum != bytes.getInt(start + CHECKED_BYTES)) {
      return null;
    }
    Kind kind = length == MARK ? Kind.MARK : length == LOST ? Kind.LOST : Kind.RECORD;
    return new Frame(position, position - back, kind, payload.asReadOnlyBuffer());
  }
}
