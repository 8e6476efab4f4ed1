package dev.ron.blake3;

/**
 * The shape of the tree over an input: chunks of 1 KiB, groups of 64 of them, parts of 1 MiB.
 *
 * <p>The left side of every parent is the largest power of two chunks that leaves something for the
 * right. Hence a group, and a part, is always a subtree of its own, and the nodes of one height are
 * found by pairing their children from the left and carrying an odd one up unchanged.
 *
 * <p>Threading: stateless.
 */
public final class HashTree {
  public static final int CHUNK_BYTES = 1024;
  public static final int GROUP_CHUNKS = 64;
  public static final int GROUP_BYTES = GROUP_CHUNKS * CHUNK_BYTES;
  public static final int PART_BYTES = 1 << 20;

  private HashTree() {}

  /** How many chunks an input has; an empty one has one. */
  public static long chunks(long lengthBytes) {
    return units(lengthBytes, CHUNK_BYTES);
  }

  /** How many groups an input has; an empty one has one. */
  public static long groups(long lengthBytes) {
    return units(lengthBytes, GROUP_BYTES);
  }

  /** How many parts an input has; an empty one has one. */
  public static long parts(long lengthBytes) {
    return units(lengthBytes, PART_BYTES);
  }

  private static long units(long lengthBytes, int unitBytes) {
    if (lengthBytes < 0) {
      throw new IllegalArgumentException("length " + lengthBytes + " is negative");
    }
    return lengthBytes == 0 ? 1 : (lengthBytes - 1) / unitBytes + 1;
  }

  /** How many bytes are under the left child of the parent of {@code lengthBytes} bytes. */
  public static long leftBytes(long lengthBytes) {
    if (lengthBytes <= CHUNK_BYTES) {
      throw new IllegalArgumentException(lengthBytes + " bytes are one chunk and have no parent");
    }
    return Long.highestOneBit((lengthBytes - 1) / CHUNK_BYTES) * CHUNK_BYTES;
  }
}
