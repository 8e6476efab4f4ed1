package dev.ron.storage.s3.policy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The addresses that begin with the same bits, as in {@code 10.0.0.0/8}.
 *
 * <p>Threading: immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AddressRange(byte[] start, int bits) {
  /** Only what is an address already: a name would be looked up. */
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9.]{7,15}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

  /** Empty if the text is no range; an address alone is a range of one. */
  static Optional<AddressRange> parse(String text) {
    int slash = text.indexOf('/');
    Optional<byte[]> start = address(slash < 0 ? text : text.substring(0, slash));
    if (start.isEmpty()) {
      return Optional.empty();
    }
    int whole = start.get().length * Byte.SIZE;
    try {
      int bits = slash < 0 ? whole : Integer.parseInt(text.substring(slash + 1));
      return bits >= 0 && bits <= whole
          ? Optional.of(new AddressRange(start.get(), bits))
          : Optional.empty();
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> address(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(text).getAddress());
    } catch (UnknownHostException _) {
      return Optional.empty();
    }
  }

  boolean contains(String text) {
    Optional<byte[]> address = address(text).filter(bytes -> bytes.length == start.length);
    if (address.isEmpty()) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % Byte.SIZE);
      if (((address.get()[bit / Byte.SIZE] ^ start[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
