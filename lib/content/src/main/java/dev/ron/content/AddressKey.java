package dev.ron.content;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import java.nio.ByteBuffer;

/**
 * An address as four words, the first bytes highest, so that comparing words is comparing
 * addresses.
 *
 * <p>Threading: immutable.
 */
public record AddressKey(long a, long b, long c, long d) implements Comparable<AddressKey> {
  public static AddressKey of(Address address) {
    return read(ByteBuffer.wrap(address.hash().bytes()), 0);
  }

  public static AddressKey read(ByteBuffer from, int at) {
    return new AddressKey(
        from.getLong(at), from.getLong(at + 8), from.getLong(at + 16), from.getLong(at + 24));
  }

  public void write(ByteBuffer to) {
    to.putLong(a).putLong(b).putLong(c).putLong(d);
  }

  public Address address() {
    ByteBuffer bytes = ByteBuffer.allocate(Hash.BYTES);
    write(bytes);
    return new Address(Hash.of(bytes.array()));
  }

  @Override
  public int compareTo(AddressKey other) {
    int order = Long.compareUnsigned(a, other.a);
    order = order != 0 ? order : Long.compareUnsigned(b, other.b);
    order = order != 0 ? order : Long.compareUnsigned(c, other.c);
    return order != 0 ? order : Long.compareUnsigned(d, other.d);
  }
}
