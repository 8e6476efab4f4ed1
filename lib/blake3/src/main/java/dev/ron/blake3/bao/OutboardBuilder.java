package dev.ron.blake3.bao;

import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import java.util.Arrays;
import java.util.Objects;

/**
 * Makes the outboard, and with it the root, of an input that comes in pieces, hashing it once.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class OutboardBuilder {
  private final Blake3Hasher group = new Blake3Hasher();
  private byte[] values = new byte[16 * Hash.BYTES];
  private int groups;

  public OutboardBuilder update(byte[] in) {
    return update(in, 0, in.length);
  }

  public OutboardBuilder update(byte[] in, int at, int length) {
    Objects.checkFromIndexSize(at, length, in.length);
    int from = at;
    int left = length;
    while (left > 0) {
      if (group.lengthBytes() == HashTree.GROUP_BYTES) {
        finishGroup();
      }
      int n = (int) Math.min(left, HashTree.GROUP_BYTES - group.lengthBytes());
      group.update(in, from, n);
      from += n;
      left -= n;
    }
    return this;
  }

  private void finishGroup() {
    if (groups == Outboard.GROUPS_MAX - 1) {
      throw new IllegalStateException("more than " + Outboard.LENGTH_BYTES_MAX + " bytes");
    }
    append();
    group.restart((long) groups * HashTree.GROUP_CHUNKS);
  }

  private void append() {
    if (values.length == groups * Hash.BYTES) {
      values = Arrays.copyOf(values, 2 * values.length);
    }
    group.node().chainingValue(values, groups * Hash.BYTES);
    groups++;
  }

  public long lengthBytes() {
    return (long) groups * HashTree.GROUP_BYTES + group.lengthBytes();
  }

  /** Ends the input; the builder is of no further use. */
  public Outboard build() {
    long length = lengthBytes();
    if (groups == 0) {
      return Outboard.ofOneGroup(length, group.hash());
    }
    append();
    return Outboard.computed(length, Arrays.copyOf(values, groups * Hash.BYTES));
  }
}
