package dev.ron.blake3.bao;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;

/**
 * The bytes a slice is asked for, and which nodes of a tree it therefore contains.
 *
 * <p>As bao has it: an empty range still proves one byte, and a range past the end proves the last
 * leaf, because that is what proves the length.
 *
 * <p>Threading: immutable.
 *
 * @param start the first byte, which may lie past the end
 * @param length how many bytes, which may reach past the end
 */
public record SliceRange(long start, long length) {
  public SliceRange {
    if (start < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + start);
    }
  }

  /** Every byte of any input. */
  public static SliceRange all() {
    return new SliceRange(0, Long.MAX_VALUE);
  }

  /** The end of the range, or the largest number if that is too large for a long. */
  long end() {
    return start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
  }

  /** Whether a slice of an input of {@code total} bytes contains the node over these bytes. */
  boolean touches(long total, long nodeStart, long nodeLength) {
    long first = Math.min(start, Math.max(0, total - 1));
    long last = Math.max(first, Math.min(end(), total) - 1);
    return nodeStart <= last && nodeStart + Math.max(1, nodeLength) > first;
  }

  /** How many bytes a slice of an input of {@code total} bytes has. */
  public long sliceBytes(long total, Grain grain) {
    if (total < 0) {
      throw new IllegalArgumentException("length " + total + " is negative");
    }
    return Math.addExact(Long.BYTES, nodeBytes(total, 0, total, grain));
  }

  private long nodeBytes(long total, long start, long length, Grain grain) {
    if (!touches(total, start, length)) {
      return 0;
    }
    if (length <= grain.bytes()) {
      return length;
    }
    long left = HashTree.leftBytes(length);
    return Math.addExact(
        2L * Hash.BYTES,
        Math.addExact(
            nodeBytes(total, start, left, grain),
            nodeBytes(total, start + left, length - left, grain)));
  }
}
