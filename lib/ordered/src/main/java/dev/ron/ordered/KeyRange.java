package dev.ron.ordered;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The keys from one, inclusive, to another, exclusive.
 *
 * <p>Threading: immutable.
 */
public final class KeyRange {
  /** A bound may be the successor of the longest key, which is one byte longer. */
  private static final int BOUND_BYTES_MAX = OrderedStore.KEY_BYTES_MAX + 1;

  private static final byte[] FIRST = {0};
  private static final byte[] BEHIND_ALL = behindAll();

  private final byte[] from;
  private final byte[] to;

  private KeyRange(byte[] from, byte[] to) {
    // The empty key is no row's, so a range that begins with it begins with the first row's.
    this.from = from.length == 0 ? FIRST : bound(from);
    this.to = bound(to);
  }

  /** From the first key to the last. */
  public static KeyRange all() {
    return new KeyRange(FIRST, BEHIND_ALL);
  }

  public static KeyRange of(byte[] from, byte[] toExclusive) {
    return new KeyRange(from.clone(), toExclusive.clone());
  }

  public static KeyRange from(byte[] from) {
    return new KeyRange(from.clone(), BEHIND_ALL);
  }

  /** All keys that begin so. */
  public static KeyRange withPrefix(byte[] prefix) {
    return new KeyRange(prefix.clone(), behindPrefix(prefix).orElse(BEHIND_ALL));
  }

  /** The part of this range behind the key. */
  public KeyRange after(byte[] key) {
    byte[] successor = Arrays.copyOf(key, key.length + 1);
    return Arrays.compareUnsigned(successor, from) <= 0 ? this : new KeyRange(successor, to);
  }

  /** The least key behind all that begin so; none when the prefix is all ones. */
  static Optional<byte[]> behindPrefix(byte[] prefix) {
    for (int last = prefix.length - 1; last >= 0; last--) {
      if (prefix[last] != -1) {
        byte[] behind = Arrays.copyOf(prefix, last + 1);
        behind[last]++;
        return Optional.of(behind);
      }
    }
    return Optional.empty();
  }

  /** Where a cursor goes to pass over a prefix: a key behind all that begin so. */
  public static byte[] past(byte[] prefix) {
    return behindPrefix(prefix).orElseGet(BEHIND_ALL::clone);
  }

  public boolean isEmpty() {
    return Arrays.compareUnsigned(from, to) >= 0;
  }

  /** Not to be changed. */
  public byte[] from() {
    return from;
  }

  /** Exclusive, and not to be changed. */
  public byte[] to() {
    return to;
  }

  private static byte[] bound(byte[] key) {
    if (key.length > BOUND_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a bound of " + key.length + " bytes where " + BOUND_BYTES_MAX + " are allowed");
    }
    return key;
  }

  private static byte[] behindAll() {
    byte[] ones = new byte[BOUND_BYTES_MAX];
    Arrays.fill(ones, (byte) -1);
    return ones;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(from)
        + ".."
        + (Arrays.equals(to, BEHIND_ALL) ? "" : HexFormat.of().formatHex(to));
  }
}
