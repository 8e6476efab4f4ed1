package dev.ron.blake3;

/**
 * The last compression of a chunk or a parent, not yet done: only now is it decided whether the
 * node is the root.
 *
 * <p>Threading: immutable.
 */
final class Node {
  private final int[] value;
  private final int[] block;
  private final long counter;
  private final int blockBytes;
  private final int flags;

  /** Takes both arrays over. */
  Node(int[] value, int[] block, long counter, int blockBytes, int flags) {
    this.value = value;
    this.block = block;
    this.counter = counter;
    this.blockBytes = blockBytes;
    this.flags = flags;
  }

  /** The parent of the two chaining values, 64 bytes, at {@code at}. */
  static Node parent(Mode mode, byte[] values, int at) {
    int[] block = new int[Compression.BLOCK_WORDS];
    Words.read(values, at, block);
    int flags = mode.flags() | Compression.PARENT;
    return new Node(mode.key().clone(), block, 0, Compression.BLOCK_BYTES, flags);
  }

  ChainingValue chainingValue() {
    byte[] bytes = new byte[Hash.BYTES];
    chainingValue(bytes, 0);
    return ChainingValue.at(bytes, 0);
  }

  void chainingValue(byte[] to, int at) {
    int[] result = value.clone();
    Compression.compress(result, block, counter, blockBytes, flags);
    Words.writeValue(result, to, at);
  }

  Hash root() {
    int[] result = value.clone();
    Compression.compress(result, block, 0, blockBytes, flags | Compression.ROOT);
    byte[] bytes = new byte[Hash.BYTES];
    Words.writeValue(result, bytes, 0);
    return Hash.at(bytes, 0);
  }
}
