package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Hash;
import dev.ron.storage.core.Inventory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A set of objects that can be compared with another node's without sending it: a digest for every
 * range of addresses that begin alike.
 *
 * <p>A range is named by the bytes its addresses begin with, as hex digits; {@code ""} is all of
 * them. Its parts are those with one more byte.
 *
 * <p>Threading: immutable.
 */
public final class RangeDigests {
  /** Shorter digests would be forgeable, longer ones would be longer. */
  private static final int DIGEST_BYTES = 16;

  private final byte[] keys;
  private final long[] sizes;

  /** One more byte of a range's name, how many objects begin with it, and their digest. */
  public record Part(int next, int count, String digest) {}

  private RangeDigests(byte[] keys, long[] sizes) {
    this.keys = keys;
    this.sizes = sizes;
  }

  /**
   * @param objects in the order of their addresses
   */
  public static RangeDigests of(List<Inventory.Listed> objects) {
    byte[] keys = new byte[Math.multiplyExact(objects.size(), Hash.BYTES)];
    long[] sizes = new long[objects.size()];
    for (int i = 0; i < sizes.length; i++) {
      byte[] key = objects.get(i).address().hash().bytes();
      System.arraycopy(key, 0, keys, i * Hash.BYTES, Hash.BYTES);
      sizes[i] = objects.get(i).sizeBytes();
      if (i > 0
          && Arrays.compareUnsigned(
                  keys,
                  (i - 1) * Hash.BYTES,
                  i * Hash.BYTES,
                  keys,
                  i * Hash.BYTES,
                  (i + 1) * Hash.BYTES)
              >= 0) {
        throw new IllegalArgumentException("objects out of order at " + i);
      }
    }
    return new RangeDigests(keys, sizes);
  }

  public int count() {
    return sizes.length;
  }

  public boolean contains(Address address) {
    byte[] key = address.hash().bytes();
    int at = first(key);
    return at < sizes.length
        && Arrays.equals(key, 0, Hash.BYTES, keys, at * Hash.BYTES, (at + 1) * Hash.BYTES);
  }

  /** The parts of a range that are not empty, in order. */
  public List<Part> parts(String range) {
    byte[] prefix = HexFormat.of().parseHex(range);
    var parts = new ArrayList<Part>();
    if (prefix.length >= Hash.BYTES) {
      return parts;
    }
    int end = end(prefix);
    int at = first(prefix);
    while (at < end) {
      int next = keys[at * Hash.BYTES + prefix.length] & 0xff;
      int after = at;
      while (after < end && (keys[after * Hash.BYTES + prefix.length] & 0xff) == next) {
        after++;
      }
      parts.add(new Part(next, after - at, digest(at, after)));
      at = after;
    }
    return parts;
  }

  /** The objects of a range, in order, as many as are wanted. */
  public List<Inventory.Listed> objects(String range, int max) {
    byte[] prefix = HexFormat.of().parseHex(range);
    var objects = new ArrayList<Inventory.Listed>();
    int end = end(prefix);
    for (int at = first(prefix); at < end && objects.size() < max; at++) {
      byte[] key = Arrays.copyOfRange(keys, at * Hash.BYTES, (at + 1) * Hash.BYTES);
      objects.add(new Inventory.Listed(new Address(Hash.of(key)), sizes[at]));
    }
    return objects;
  }

  private String digest(int from, int to) {
    byte[] hash =
        new Blake3Hasher().update(keys, from * Hash.BYTES, (to - from) * Hash.BYTES).hash().bytes();
    return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
  }

  /** The first object that does not come before the prefix. */
  private int first(byte[] prefix) {
    int low = 0;
    int high = sizes.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, prefix) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first object after all that begin with the prefix. */
  private int end(byte[] prefix) {
    int low = first(prefix);
    int high = sizes.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, prefix) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Only as much of the key as the prefix has is compared. */
  private int compare(int index, byte[] prefix) {
    int from = index * Hash.BYTES;
    return Arrays.compareUnsigned(keys, from, from + prefix.length, prefix, 0, prefix.length);
  }
}
