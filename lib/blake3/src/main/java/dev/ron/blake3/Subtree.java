package dev.ron.blake3;

import java.util.Optional;

/**
 * One part of an input, hashed by itself: all that is needed to compose the root later.
 *
 * <p>Part 0 may turn out to be the whole input. Its chaining value says nothing about the root
 * then, because the root is compressed with a flag of its own; so part 0 carries both.
 *
 * <p>Threading: immutable.
 *
 * @param index which part: it begins at {@code index} MiB
 * @param lengthBytes 1 MiB, or less for the last part
 * @param chainingValue its value as a part
 * @param alone its value as the whole input; only for part 0
 */
public record Subtree(
    long index, int lengthBytes, ChainingValue chainingValue, Optional<Hash> alone) {
  /** No part can begin beyond the largest offset. */
  public static final long INDEX_MAX = Long.MAX_VALUE / HashTree.PART_BYTES;

  public Subtree {
    if (index < 0 || index > INDEX_MAX) {
      throw new IllegalArgumentException("there is no part " + index);
    }
    if (lengthBytes < (index == 0 ? 0 : 1) || lengthBytes > HashTree.PART_BYTES) {
      throw new IllegalArgumentException("part " + index + " of " + lengthBytes + " bytes");
    }
    if (alone.isPresent() != (index == 0)) {
      throw new IllegalArgumentException("part 0 alone can be the whole input");
    }
  }

  public static Subtree of(long index, byte[] in) {
    return of(index, in, 0, in.length);
  }

  public static Subtree of(long index, byte[] in, int at, int length) {
    return of(Mode.PLAIN, index, in, at, length);
  }

  public static Subtree of(Mode mode, long index, byte[] in, int at, int length) {
    if (index < 0 || index > INDEX_MAX || length > HashTree.PART_BYTES) {
      throw new IllegalArgumentException("part " + index + " of " + length + " bytes");
    }
    long first = index * (HashTree.PART_BYTES / HashTree.CHUNK_BYTES);
    NodeOutput node = new Blake3Hasher(mode, first, null).update(in, at, length).node();
    Optional<Hash> alone = index == 0 ? Optional.of(node.root()) : Optional.empty();
    return new Subtree(index, length, node.chainingValue(), alone);
  }
}
