package dev.ron.edge.core;

import dev.ron.blake3.Address;

/**
 * Bytes of an answer and where they are kept.
 *
 * <p>Threading: immutable.
 *
 * @param offset of its first byte in the whole
 * @param address the object that holds it
 * @param from of its first byte in that object
 */
public record StoredRange(long offset, long length, Address address, long from) {
  public StoredRange {
    if (offset < 0 || length < 0 || from < 0) {
      throw new IllegalArgumentException("%d bytes at %d".formatted(length, offset));
    }
  }

  public long end() {
    return offset + length;
  }

  /** The part of it that lies in {@code [start, stop)}; there must be one. */
  StoredRange cut(long start, long stop) {
    long first = Math.max(start, offset);
    long after = Math.min(stop, end());
    return new StoredRange(first, after - first, address, from + first - offset);
  }
}
