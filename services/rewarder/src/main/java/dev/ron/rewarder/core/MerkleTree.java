package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The Merkle tree over the allocations.
 *
 * <p>A leaf is {@code BLAKE3("ron/leaf/v1" || line as u64 || length of the actor as u32 || actor ||
 * amount as 16 bytes)}, numbers with the most significant byte first. A node is {@code
 * BLAKE3("ron/node/v1" || left || right)}; a node without a neighbour is carried up unchanged. The
 * root of no leaves at all is the hash of the node's tag alone.
 *
 * <p>Threading: stateless.
 */
public final class MerkleTree {
  private static final byte[] LEAF = "ron/leaf/v1".getBytes(US_ASCII);
  private static final byte[] NODE = "ron/node/v1".getBytes(US_ASCII);

  private MerkleTree() {}

  public static Hash leaf(long line, byte[] buffer, int from, int length, Wide amount) {
    var bytes = ByteBuffer.allocate(LEAF.length + Long.BYTES + Integer.BYTES + length + Wide.BYTES);
    bytes.put(LEAF).putLong(line).putInt(length).put(buffer, from, length);
    bytes.putLong(amount.high()).putLong(amount.low());
    return Blake3.hash(bytes.array());
  }

  public static Hash node(Hash left, Hash right) {
    var bytes = ByteBuffer.allocate(NODE.length + 2 * Hash.BYTES);
    return Blake3.hash(bytes.put(NODE).put(left.bytes()).put(right.bytes()).array());
  }

  public static Hash empty() {
    return Blake3.hash(NODE);
  }

  /** The root over leaves, or over the roots of blocks of one power of two of leaves each. */
  public static Hash root(List<Hash> leaves) {
    if (leaves.isEmpty()) {
      return empty();
    }
    List<Hash> level = leaves;
    while (level.size() > 1) {
      level = above(level);
    }
    return level.getFirst();
  }

  static List<Hash> above(List<Hash> level) {
    var above = new ArrayList<Hash>((level.size() + 1) / 2);
    for (int i = 0; i + 1 < level.size(); i += 2) {
      above.add(node(level.get(i), level.get(i + 1)));
    }
    if (level.size() % 2 == 1) {
      above.add(level.getLast());
    }
    return above;
  }
}
