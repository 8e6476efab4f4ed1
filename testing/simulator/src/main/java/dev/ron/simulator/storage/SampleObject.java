package dev.ron.simulator.storage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One of the few objects that clients store, read and delete, so that they meet at each.
 *
 * <p>Threading: immutable.
 *
 * @param owners that store it; the operator has objects of its own, because what it deletes is
 *     deleted for all
 */
@SuppressWarnings("ArrayRecordComponent") // compared by address
record SampleObject(int number, Address address, byte[] bytes, List<Owner> owners) {
  /** From this size on an object is cut into shards. */
  static final int CODED_BYTES = 300_000;

  /** Inside one group, at the edges of groups and windows, and cut into shards. */
  private static final int[] SIZES = {1, 3_000, 65_537, 150_000, 262_149, 300_000, 420_001};

  private static final List<Owner> TENANTS = List.of(new Owner("acme"), new Owner("bolt"));
  private static final List<Owner> OPERATOR = List.of(Owner.OPERATOR);

  static final List<SampleObject> ALL = all();

  private static List<SampleObject> all() {
    var all = new ArrayList<SampleObject>();
    for (int size : SIZES) {
      all.add(of(all.size(), size, TENANTS));
    }
    for (int i = 0; i < SIZES.length; i += 2) {
      all.add(of(all.size(), SIZES[i], OPERATOR));
    }
    return List.copyOf(all);
  }

  private static SampleObject of(int number, int size, List<Owner> owners) {
    byte[] bytes = new byte[size];
    new SplittableRandom(number).nextBytes(bytes);
    return new SampleObject(number, new Address(Blake3.hash(bytes)), bytes, owners);
  }

  boolean isCoded() {
    return bytes.length >= CODED_BYTES;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SampleObject same && same.address.equals(address);
  }

  @Override
  public int hashCode() {
    return number;
  }

  @Override
  public String toString() {
    return "object %d of %d bytes".formatted(number, bytes.length);
  }
}
