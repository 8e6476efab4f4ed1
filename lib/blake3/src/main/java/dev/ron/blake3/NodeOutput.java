package dev.ron.blake3;

import dev.ron.blake3.kernel.CompressionFunction;
import dev.ron.blake3.kernel.Words;

/**
 * The last compression of a chunk or a parent, not yet done: only now is it decided whether the
 * node is the root.
 *
 * <p>Threading: immutable.
 */
public final class NodeOutput {
  private final int[] value;
  private final int[] block;
  private final long counter;
  private final int blockBytes;
  private final int flags;

  /** Takes both arrays over. */
  NodeOutput(int[] value, int[] block, long counter, int blockBytes, int flags) {
    this.value = value;
    this.block = block;
    this.counter = counter;
    this.blockBytes = blockBytes;
    this.flags = flags;
  }

  /** The parent of the two chaining values, 64 bytes, at {@code at}. */
  public static NodeOutput parent(Mode mode, byte[] values, int at) {
    int[] block = new int[CompressionFunction.BLOCK_WORDS];
    Words.read(values, at, block);
    int flags = mode.flags() | CompressionFunction.PARENT;
    return new NodeOutput(mode.key().clone(), block, 0, CompressionFunction.BLOCK_BYTES, flags);
  }

  public ChainingValue chainingValue() {
    byte[] bytes = new byte[Hash.BYTES];
    chainingValue(bytes, 0);
    return ChainingValue.at(bytes, 0);
  }

  public void chainingValue(byte[] to, int at) {
    int[] result = value.clone();
    CompressionFunction.compress(result, block, counter, blockBytes, flags);
    Words.writeValue(result, to, at);
  }

  public Hash root() {
    int[] result = value.clone();
    CompressionFunction.compress(result, block, 0, blockBytes, flags | CompressionFunction.ROOT);
    byte[] bytes = new byte[Hash.BYTES];
    Words.writeValue(result, bytes, 0);
    return Hash.at(bytes, 0);
  }
}
