package dev.ron.content.store;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.AddressKey;
import dev.ron.content.segment.RecordHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A file of a store whose sums are right and whose fields are an input's.
 *
 * <p>An input is records one behind the other: a byte of {@code RAW}, {@code OWN}, {@code LONG},
 * {@code EDGE} and two bits for the kind, a length of one byte or of eight, a byte for the
 * sequence, and as many bytes as the length says.
 *
 * <p>Threading: owned by one thread.
 */
final class FuzzedSegment {
  static final int NUMBER = 1;

  /** The record's header is the input's own bytes, sum included. */
  private static final int RAW = 4;

  /** The record has the address of its bytes, and another one if this is not set. */
  private static final int OWN = 8;

  /** The length is any number of eight bytes. */
  private static final int LONG = 16;

  /** The file ends in the midst of the record's bytes. */
  private static final int EDGE = 32;

  private static final int BYTES_MAX = 64 << 10;
  private static final long MAGIC = 0x526f6e5365676d31L;
  private static final byte[] SECRET = new byte[32];

  private final byte[] input;
  private final ByteBuffer file = ByteBuffer.allocate(BYTES_MAX);
  private final Set<Address> whole = new HashSet<>();
  private int at;
  private boolean cut;

  FuzzedSegment(byte[] bytes) {
    input = bytes.clone();
    file.putLong(MAGIC).putLong(NUMBER).put(SECRET).putLong(0);
    var crc = new CRC32C();
    crc.update(file.duplicate().flip());
    file.putLong(crc.getValue());
    while (input.length - at > 1 + Long.BYTES && !cut) {
      record();
    }
  }

  private void record() {
    int how = input[at++];
    if ((how & RAW) != 0) {
      put(RecordHeader.BYTES);
      return;
    }
    long length = Byte.toUnsignedInt(input[at]);
    if ((how & LONG) != 0) {
      length = ByteBuffer.wrap(input).getLong(at);
    }
    at += (how & LONG) != 0 ? Long.BYTES : 1;
    int sequence = at < input.length ? input[at++] : 0;
    int there = Math.clamp(length, 0, input.length - at);
    byte[] body = Arrays.copyOfRange(input, at, at + there);
    Address address = new Address(Blake3.hash(body));
    RecordHeader.Kind kind = kind(how);
    AddressKey key =
        (how & OWN) != 0 ? AddressKey.of(address) : new AddressKey(sequence, length, 0, 0);
    var header = new RecordHeader(kind, length, sequence, 0, key);
    if (file.remaining() < RecordHeader.objectRecordBytes(there)) {
      cut = true;
      return;
    }
    header.write(file, SECRET, file.position());
    if (kind != RecordHeader.Kind.OBJECT && kind != RecordHeader.Kind.VOID) {
      return;
    }
    cut = (how & EDGE) != 0 || there < length;
    int kept = cut ? there / 2 : there;
    int end = file.position() + kept;
    put(kept);
    // The chaining values of an object of several groups are zeros here, and not right ones.
    file.position(cut ? end : aligned(end));
    if (kind == RecordHeader.Kind.OBJECT && kept == length) {
      whole.add(address);
    }
  }

  private static RecordHeader.Kind kind(int how) {
    return switch (how & 3) {
      case 0 -> RecordHeader.Kind.OBJECT;
      case 1 -> RecordHeader.Kind.TOMBSTONE;
      case 2 -> RecordHeader.Kind.SEAL;
      default -> RecordHeader.Kind.VOID;
    };
  }

  private static int aligned(int position) {
    return Math.ceilDiv(position, RecordHeader.ALIGNMENT) * RecordHeader.ALIGNMENT;
  }

  private void put(int count) {
    int some = Math.min(Math.min(count, input.length - at), file.remaining());
    file.put(input, at, some);
    at += some;
  }

  ByteBuffer bytes() {
    return file.duplicate().flip();
  }

  /** The addresses of bytes that lie in it whole, under whatever address. */
  Set<Address> whole() {
    return whole;
  }
}
